/** The HTML map in a real browser: from one file, without a request, under its own policy. */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "../../demo/test/browser.js";
import { rowsOf, workplace } from "./cli.js";

const place = workplace();

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
let browser: Browser | undefined;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => browser?.close());

/** A page of the workplace, and what it did that it should not. */
async function opened(file: string) {
  if (browser === undefined) throw new Error("There is no browser.");
  const page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
  const url = pathToFileURL(place().path(file)).href;
  const faults: string[] = [];
  page.on("request", (request) => {
    if (request.url() !== url && !request.url().startsWith("blob:")) faults.push(request.url());
  });
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(error.message));
  await page.goto(url);
  const box = await page.locator("#map").boundingBox();
  if (box === null) throw new Error("The map has no place.");
  return { page, faults, box };
}

type Page = Awaited<ReturnType<typeof opened>>["page"];

const wordsIn = (page: Page, selector: string): Promise<string[]> => page.locator(selector).allTextContents();

/** Of Iceland's kind: a name with a mark, a size that grows by factors, a word that is kept. */
const rows = Array.from({ length: 48 }, (_, i) => ({
  data: [10 * (i % 3) + ((i * 7919) % 97) / 97, 10 * Number(i % 3 === 1) + ((i * 104729) % 89) / 89],
  name: i === 5 ? "Älvsjö" : i === 6 ? '<b>Six</b> "quoted", yes' : `Item ${i}`,
  size: i === 9 ? "" : String(1000 + 25 * i),
  note: `note ${i % 4}`,
}));

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

async function drawn(): Promise<string[][]> {
  const lines = rows.map(({ data, name, size, note }) => [...data, quoted(name), size, note].join(","));
  place().write("items.csv", `a,b,name,size,note\n${lines.join("\n")}\n`);
  const words = ["embed", "items.csv", "--columns", "a,b", "--names", "name", "--color", "size"];
  const outputs = ["--plot", "map.html", "--out", "map.csv", "--quiet"];
  const ended = await place().run([...words, "--keep", "note", ...outputs]);
  expect(ended.stderr).toBe("");
  return rowsOf(place().read("map.csv"))
    .slice(1)
    .map((line) => line.split(","));
}

const nearest = (points: readonly (readonly number[])[], row: number): string[] =>
  points
    .map((point, n) => ({ n, distance: Math.hypot(point[0] - points[row][0], point[1] - points[row][1]) }))
    .filter(({ n }) => n !== row)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 10)
    .map(({ n }) => rows[n].name);

test("search, neighbours of a click, lasso to CSV, and the scale of a colour", async () => {
  const map = (await drawn()).map(([x, y]) => [Number(x), Number(y)]);
  const { page, faults, box } = await opened("map.html");

  // The scale has the column's name, its ends, and three numbers between.
  expect(await wordsIn(page, "#legend h2")).toEqual(["size"]);
  expect(await wordsIn(page, ".scale span")).toEqual(["2175", "1881", "1588", "1294", "1000"]);

  // Names stand beside the points when nothing moves.
  await page.locator("#map[data-names]").waitFor();
  expect(Number(await page.locator("#map").getAttribute("data-names"))).toBeGreaterThan(10);

  // Search goes by letters, not by marks; the first of those found is chosen by Enter and comes to the middle.
  await page.locator("#search").fill("alvsjo");
  expect(await page.locator("#said").textContent()).toBe("1 found");
  await page.locator("#search").fill("note 3");
  expect(await page.locator("#said").textContent()).toBe("12 found");
  await page.locator("#search").fill("nowhere");
  expect(await page.locator("#said").textContent()).toBe("nothing found");
  await page.locator("#search").fill("item 7");
  await page.locator("#search").press("Enter");
  expect((await wordsIn(page, "#chosen h2"))[0]).toBe("Item 7");
  expect(await wordsIn(page, "#chosen dd")).toEqual(["8", "1175", "note 3"]);

  // Its neighbours are those of the data, and those of the map.
  const data = rows.map((row) => row.data);
  expect(new Set(await wordsIn(page, ".near-in-data span"))).toEqual(new Set(nearest(data, 7)));
  expect(new Set(await wordsIn(page, ".near-in-map span"))).toEqual(new Set(nearest(map, 7)));

  // A click on the map chooses what is there, a click on nothing lets go of it.
  const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.locator("#chosen .close").click();
  expect(await wordsIn(page, "#chosen h2")).toEqual([]);
  await page.mouse.move(middleX, middleY);
  expect(await wordsIn(page, "#tip b")).toEqual(["Item 7"]);
  expect(await wordsIn(page, "#tip div")).toEqual(["size: 1175", "note: note 3"]);
  await page.mouse.click(middleX, middleY);
  expect((await wordsIn(page, "#chosen h2"))[0]).toBe("Item 7");
  await page.mouse.click(box.x + 3, box.y + 3);
  expect(await wordsIn(page, "#chosen h2")).toEqual([]);

  // The lasso takes the points to the left of the middle, and saves them.
  await page.locator("#map").press("0");
  await page.locator("#lasso").click();
  await page.mouse.move(box.x + 1, box.y + 1);
  await page.mouse.down();
  for (const [x, y] of [
    [middleX, box.y + 1],
    [middleX, box.y + box.height - 1],
    [box.x + 1, box.y + box.height - 1],
  ])
    await page.mouse.move(x, y, { steps: 3 });
  await page.mouse.up();
  const xs = map.map(([x]) => x);
  const middle = (Math.min(...xs) + Math.max(...xs)) / 2;
  const left = xs.flatMap((x, n) => (x < middle ? [n] : []));
  expect(await page.locator("#said").textContent()).toBe(`${left.length} inside`);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save as CSV" }).click(),
  ]);
  const [header, ...saved] = rowsOf(readFileSync(await download.path(), "utf8").replaceAll("\r", ""));
  expect(header).toBe("row,name,x,y,size,note");
  expect(saved).toEqual(
    left.map((n) => {
      const name = n === 6 ? quoted(rows[n].name) : rows[n].name;
      const [x, y] = map[n].map((value) => Number(value.toPrecision(6)));
      return [n + 1, name, x, y, rows[n].size, rows[n].note].join(",");
    }),
  );

  expect(await page.locator("b").filter({ hasText: "Six" }).count()).toBe(0); // names are text
  expect(faults).toEqual([]);
  await page.close();
});

describe("classes", () => {
  test("thirty have thirty looks in the legend, and each can be hidden, from the search, too", async () => {
    const lines = Array.from({ length: 60 }, (_, i) => `${i % 7},${(i * 31) % 11},kind ${i % 30}`);
    place().write("kinds.csv", `a,b,kind\n${lines.join("\n")}\n`);
    await place().run(["embed", "kinds.csv", "--labels", "kind", "--plot", "kinds.html", "--quiet"]);
    const { page, faults } = await opened("kinds.html");
    const looks = await page
      .locator("#legend path")
      .evaluateAll((paths) =>
        paths.map((path) => ["d", "fill", "stroke"].map((name) => path.getAttribute(name)).join(" ")),
      );
    expect(new Set(looks).size).toBe(30);
    await page.locator("#search").fill("kind 29");
    expect(await page.locator("#said").textContent()).toBe("2 found");
    await page.locator("#legend button", { hasText: "kind 29" }).click();
    await page.locator("#search").fill("kind 29 ");
    expect(await page.locator("#said").textContent()).toBe("nothing found");
    expect(faults).toEqual([]);
    await page.close();
  });

  test("three axes turn, and a page in space has no faults", async () => {
    await drawn();
    const words = ["embed", "items.csv", "--columns", "a,b", "--names", "name", "--dim", "3"];
    await place().run([...words, "--plot", "space.html", "--quiet"]);
    const { page, faults, box } = await opened("space.html");
    await page.mouse.move(box.x + 300, box.y + 300);
    await page.mouse.down();
    await page.mouse.move(box.x + 360, box.y + 280, { steps: 4 });
    await page.mouse.up();
    await page.locator("#search").fill("item 7");
    await page.locator("#search").press("Enter");
    // Others may lie in front of it.
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    expect((await wordsIn(page, "#chosen h2"))[0]).toMatch(/^Item \d+$/);
    expect(faults).toEqual([]);
    await page.close();
  });
});
