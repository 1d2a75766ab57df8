/** How the viewer looks. It stands in a tree of its own, so that no rule of the page's reaches it, and none of it the page. */
export const style = `
:host { display: block; height: 100%; min-height: 320px; container-type: inline-size; color-scheme: light; font: 14px/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; color: #23272f; text-align: left; }
* { box-sizing: border-box; }
.view { height: 100%; display: grid; grid-template: auto 1fr auto / 1fr 270px; background: #fff; }
header { grid-column: 1 / 3; padding: 18px 24px 10px; display: flex; align-items: center; gap: 12px; flex-wrap: wrap; }
header div { flex: 1 1 320px; min-width: 0; }
h1:empty, header p:empty { display: none; }
h1 { font-size: 20px; margin: 0; overflow-wrap: anywhere; }
header p { margin: 2px 0 0; color: #6b7280; }
#said { color: #6b7280; min-width: 5em; text-align: right; }
#search { font: inherit; color: inherit; width: 220px; padding: 5px 10px; border: 1px solid #b6bcc4; border-radius: 6px; }
#lasso, .action { width: auto; padding: 5px 12px; border: 1px solid #b6bcc4; border-radius: 6px; background: none; font: inherit; color: inherit; cursor: pointer; }
#lasso[aria-pressed="true"] { background: #0170ad; border-color: #0170ad; color: #fff; opacity: 1; }
main { position: relative; min-width: 0; min-height: 0; }
canvas { position: absolute; inset: 0; width: 100%; height: 100%; cursor: grab; touch-action: none; }
canvas:active { cursor: grabbing; }
canvas:focus-visible { outline: 2px solid #3f90da; outline-offset: -2px; }
canvas.lasso { cursor: crosshair; }
#tip { position: absolute; pointer-events: none; padding: 4px 10px; border-radius: 6px; background: #23272fee; color: #fff; max-width: 340px; overflow-wrap: anywhere; }
#tip[hidden] { display: none; }
aside { padding: 8px 16px 8px 8px; overflow: auto; }
section:empty { display: none; }
section + section:not(:empty) { margin-top: 16px; }
h2 { font-size: 13px; margin: 0 8px 6px; overflow-wrap: anywhere; }
aside button { display: flex; align-items: center; gap: 8px; width: 100%; padding: 3px 8px; border: 0; border-radius: 6px; background: none; font: inherit; color: inherit; text-align: left; cursor: pointer; }
aside button:hover { background: #f1f3f5; }
aside button[aria-pressed="false"] { opacity: 0.35; }
aside .action { width: auto; margin: 0 8px 8px; padding: 5px 12px; border: 1px solid #b6bcc4; }
aside .close { float: right; width: auto; padding: 0 8px; font-size: 18px; line-height: 1.1; }
button:focus-visible, input:focus-visible { outline: 2px solid #3f90da; outline-offset: 1px; }
button svg { flex: none; width: 16px; height: 16px; }
button i { flex: none; width: 9px; height: 9px; border-radius: 50%; }
button span { flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 1px 10px; margin: 0 8px 12px; overflow-wrap: anywhere; }
dt { color: #6b7280; }
dd { margin: 0; }
ol { list-style: none; margin: 0 0 12px; padding: 0; }
aside p { margin: 0 8px; color: #6b7280; }
button small { color: #6b7280; font-variant-numeric: tabular-nums; }
.scale { position: relative; height: 220px; margin-left: 8px; padding-left: 24px; display: flex; flex-direction: column; justify-content: space-between; }
.scale i { position: absolute; left: 0; top: 0; bottom: 0; width: 14px; border-radius: 2px; }
footer { grid-column: 1 / 3; padding: 6px 24px 12px; color: #6b7280; font-size: 12px; }
@container (max-width: 720px) { .view { grid-template: auto 1fr minmax(0, 30vh) / 1fr; } header, footer { grid-column: 1; } footer { display: none; } }
`;
