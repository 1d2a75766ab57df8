import { render } from "preact";
import { App } from "./shell/app.js";
import { applyTheme, storedTheme } from "./shell/theme.js";
import "./shell/style.css";
import { views } from "./views/index.js";

applyTheme(storedTheme());
const root = document.getElementById("app");
if (root !== null) render(<App views={views} />, root);
