/** Making or reading data, in a worker. */
import { loadDigits } from "@curvature/datasets/digits";
import type { Task } from "../worker/protocol.js";
import { type DataRequest, type Dataset, plainDataset } from "./dataset.js";
import { generated } from "./generated.js";
import { type Loaded, readFile } from "./read-file.js";

export const loadTask: Task<DataRequest, never, Loaded> = {
  async run(request, channel) {
    channel.phase(request.kind === "file" ? `reading ${request.file.name}` : "making the data");
    const content = await load(request);
    return { content, transfer: content.dataset === undefined ? [] : [content.dataset.points.data.buffer] };
  },
};

async function load(request: DataRequest): Promise<Loaded> {
  switch (request.kind) {
    case "digits":
      return { dataset: await digits(), reading: undefined };
    case "generated":
      return { dataset: generated(request), reading: undefined };
    case "file":
      return readFile(request);
  }
}

async function digits(): Promise<Dataset> {
  const { points, labels } = await loadDigits();
  const columns = Array.from({ length: points.columns }, (_, j) => `pixel${j}`);
  return {
    ...plainDataset("digits", points, columns),
    labels: Array.from(labels, String),
    labelName: "digit",
    image: { rows: 8, columns: 8, most: 16 },
  };
}
