/** The page of a study: all that it needs is in it, and nothing leaves it but the file that its reader saves. */
import { render } from "preact";
import { studyOfLink } from "../carry.js";
import { type Study, studyOf } from "../study.js";
import "../../shell/style.css";
import "./style.css";
import { StudyPage } from "./study-page.js";

interface Arrival {
  readonly study: Study | undefined;
  /** Given by the link, or empty. */
  readonly participant: string;
  /** Whether the link or the page says that it holds a study. */
  readonly isStated: boolean;
}

/** Under which links of platforms name who comes. */
const participantNames = ["participant", "PROLIFIC_PID", "workerId", "id"];

async function arrival(): Promise<Arrival> {
  const fragment = new URLSearchParams(window.location.hash.slice(1));
  const query = new URLSearchParams(window.location.search);
  const given = participantNames.map((name) => fragment.get(name) ?? query.get(name));
  const participant = (given.find((id) => id !== null) ?? "").trim().slice(0, 100);
  const inPage = document.getElementById("study")?.textContent ?? "";
  const inLink = fragment.get("study") ?? "";
  const isStated = inPage !== "" || inLink !== "";
  const study = inPage === "" ? await studyOfLink(inLink) : parsed(inPage);
  return { study, participant, isStated };
}

function parsed(text: string): Study | undefined {
  try {
    return studyOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

async function show(): Promise<void> {
  const root = document.getElementById("app");
  if (root === null) return;
  const { study, participant, isStated } = await arrival();
  document.title = study === undefined || study.title === "" ? "Study" : study.title;
  render(
    study === undefined ? <NoStudy isStated={isStated} /> : <StudyPage study={study} invited={participant} />,
    root,
  );
}

const NoStudy = ({ isStated }: { readonly isStated: boolean }) => (
  <main class="study">
    <h1>{isStated ? "This link is damaged" : "There is no study here"}</h1>
    <p role="alert">
      {isStated
        ? "A part of it was lost on its way, as when a mail program breaks a long line. Copy the whole link into the address bar, or ask for it again."
        : "The link of a study ends with its questions, and this one has none. Copy the whole link into the address bar, or ask for it again."}
    </p>
  </main>
);

// Another link in the same tab changes no more than the fragment.
window.addEventListener("hashchange", () => window.location.reload());
void show();
