/** What participants get: a link that holds the study, or a page that does. */
import { useEffect, useState } from "preact/hooks";
import { Fault } from "../../../controls/notice.js";
import { Panel } from "../../../controls/panel.js";
import { CodeBlock } from "../../../export/code-block.js";
import { baseName, saving } from "../../../export/save.js";
import { linkTextOf, longestLink, pageOf } from "../../../study/carry.js";
import { problemOf, type Study } from "../../../study/study.js";

interface HandOutProps {
  readonly study: Study;
  /** Whether nothing else is wrong with its stimuli. */
  readonly isReady: boolean;
}

const megabyte = 1e6;
/** What mail takes as a rule, and what a phone can open. */
const mailBytes = 20 * megabyte;
const mostBytes = 200 * megabyte;

export function HandOut({ study, isReady }: HandOutProps) {
  const [problem, setProblem] = useState("");
  const link = useLink(study);
  const wrong = problemOf(study);
  const bytes = pageBytes(study);
  const hasPictures = study.images !== undefined;
  const isTooLarge = bytes > mostBytes;
  const save = async (): Promise<void> => {
    setProblem("");
    const response = await fetch("./study.html");
    if (!response.ok) throw new Error(`study.html: ${response.status}`);
    const page = pageOf(await response.text(), study);
    await saving("page", `${baseName(study.title) || "study"}.html`, () => page).save?.();
  };
  return (
    <Panel title="4. What participants get">
      {wrong !== undefined ? (
        <p class="notice" role="status">
          {wrong}
        </p>
      ) : (
        isReady && (
          <>
            {hasPictures ? (
              <p>
                A page with the {study.names.length} pictures in it, since a link has no room for them. Put it
                online, on any web space, and give its address to participants; or mail it to those at a
                computer.
              </p>
            ) : link === undefined ? (
              <p role="status">Making the link …</p>
            ) : link.length > longestLink ? (
              <p>
                A link would have {link.length} characters, and mail programs cut those of more than{" "}
                {longestLink}. Save the page instead.
              </p>
            ) : (
              <>
                <p>
                  A link that holds the whole study: nothing is stored anywhere, and it opens on phones as
                  well. For a known person add <code>&amp;participant=…</code> to it.
                </p>
                <CodeBlock title="Link" code={link} />
                <p>
                  <a href={link} target="_blank" rel="noreferrer">
                    Try it
                  </a>{" "}
                  in a new tab.
                </p>
              </>
            )}
            <p class="row">
              <button
                type="button"
                class={hasPictures ? "" : "quiet"}
                disabled={isTooLarge}
                onClick={() => {
                  save().catch((error: unknown) =>
                    setProblem(`The page could not be made: ${String(error)}`),
                  );
                }}
              >
                Save the page
              </button>
              <span class="hint numbers">{sizeWords(bytes)}</span>
            </p>
            <p class="hint">
              {isTooLarge
                ? "That is more than browsers open. Take fewer or smaller pictures."
                : bytes > mailBytes
                  ? "That is more than mail takes: put it online."
                  : "It works without a network and from a disk. Phones show mailed pages without running them: for phones put it online."}
            </p>
          </>
        )
      )}
      <Fault sentence={problem} />
    </Panel>
  );
}

/** The page without a study has some 50 kB. */
const pageBytes = ({ names, images = [] }: Study): number =>
  [...names, ...images].reduce((sum, text) => sum + text.length, 50_000);

const sizeWords = (bytes: number): string =>
  bytes < megabyte ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / megabyte).toFixed(1)} MB`;

/** Undefined while it is made, and for what has none. */
function useLink(study: Study): string | undefined {
  const [made, setMade] = useState<{ readonly of: Study; readonly link: string } | undefined>();
  useEffect(() => {
    let isCurrent = true;
    if (study.images !== undefined || problemOf(study) !== undefined) return undefined;
    void linkTextOf(study).then((text) => {
      const address = new URL("./study.html", window.location.href);
      address.hash = `study=${text}`;
      if (isCurrent) setMade({ of: study, link: address.href });
    });
    return () => {
      isCurrent = false;
    };
  }, [study]);
  return made?.of === study ? made.link : undefined;
}
