/** The program of an HTML map: shows what the page carries. It runs from one file, under a policy that allows it alone. */
import { showMap } from "./viewer.js";

const page = document.documentElement;
page.style.height = document.body.style.height = "100%";
document.body.style.margin = "0";
showMap(document.body, JSON.parse(document.getElementById("data")?.textContent ?? ""));
