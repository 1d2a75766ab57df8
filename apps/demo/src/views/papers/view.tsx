import { useEffect, useRef } from "preact/hooks";
import type { ViewProps } from "../../shell/view.js";
import { formatPlace } from "../../state/location.js";
import { FormulaFigure } from "./formula.js";
import type { PapersState } from "./options.js";
import { type Measured, type Paper, paperIds } from "./paper.js";
import { papers } from "./papers.js";
import "./style.css";

export function PapersScreen({ state }: ViewProps<PapersState>) {
  const paper = papers[state.paper];
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  // Who goes to another paper by keys is then at its beginning.
  useEffect(() => {
    if (!isFirst.current) heading.current?.focus();
    isFirst.current = false;
  }, [state.paper]);
  return (
    <div class="view-layout">
      <nav class="panel" aria-label="Papers">
        <ul class="papers-list">
          {paperIds.map((id) => (
            <li key={id}>
              <a
                href={formatPlace({ view: "papers", query: `paper=${id}` })}
                aria-current={id === state.paper ? "true" : undefined}
              >
                {papers[id].short}
                <span class="hint">{papers[id].viewName}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <article class="panel stack paper" data-paper={paper.id}>
        <header class="stack">
          <h2 ref={heading} tabIndex={-1}>
            {paper.title}
          </h2>
          <p class="hint">
            {paper.authors}. {paper.venue}.
          </p>
          <p class="row">
            <a href={formatPlace({ view: paper.view, query: "" })}>See it: {paper.viewName}</a>
            <a href={`../reference/api/@curvature/${paper.package}.html`}>
              Reference of @curvature/{paper.package}
            </a>
          </p>
        </header>
        <Text paper={paper} />
        <h3>Measured</h3>
        {paper.measured.map((measured) => (
          <MeasuredTable key={measured.caption} measured={measured} />
        ))}
        <p class="hint">
          On 2 × AMD EPYC, 24 GiB, Node 24. All figures are parts of files in the repository, which say how
          they were measured.
        </p>
      </article>
    </div>
  );
}

function Text({ paper }: { readonly paper: Paper }) {
  return (
    <>
      {paper.what.map((words) => (
        <p key={words}>{words}</p>
      ))}
      {paper.formulas.map((formula) => (
        <FormulaFigure key={formula.tex} formula={formula} />
      ))}
      <div class="paper-use">
        <List title="When to use it" items={paper.when} />
        <List title="When not to" items={paper.whenNot} />
      </div>
    </>
  );
}

interface ListProps {
  readonly title: string;
  readonly items: readonly string[];
}

const List = ({ title, items }: ListProps) => (
  <section>
    <h3>{title}</h3>
    <ul>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  </section>
);

function MeasuredTable({
  measured: { caption, head, rows, source, notes },
}: {
  readonly measured: Measured;
}) {
  return (
    <div class="measured">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than the page is scrolled by keys */}
      <section class="measured-scroll" tabIndex={0} aria-label={caption}>
        <table class="numbers">
          <caption>{caption}</caption>
          <thead>
            <tr>
              {head.map((name) =>
                name === "" ? (
                  <td key={name} />
                ) : (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.join()}>
                {row.map((cell, k) =>
                  k === 0 ? (
                    <th key={k} scope="row">
                      {cell}
                    </th>
                  ) : (
                    <td key={k}>{cell}</td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="hint">
        {notes.join(" ")} From <code>{source}</code>.
      </p>
    </div>
  );
}
