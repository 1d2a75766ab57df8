import type { Dataset } from "../../data/dataset.js";
import { inkPixels, PixelPicture } from "../../plot/pixel-picture.js";

interface PointWordsProps {
  readonly dataset: Dataset;
  readonly point: number;
}

const mostColumns = 5;

/** What is known of a point: its picture if it is one, its label, its first numbers. */
export function PointWords({ dataset, point }: PointWordsProps) {
  const { labels, labelName, points, columns, image } = dataset;
  const row = points.data.subarray(point * points.columns, (point + 1) * points.columns);
  return (
    <>
      {image !== undefined && (
        <PixelPicture
          class="grey-picture"
          label="the picture"
          columns={image.columns}
          rows={image.rows}
          pixels={inkPixels(row, image.most)}
        />
      )}
      <strong>{labels === undefined ? `Point ${point}` : `${labelName}: ${labels[point]}`}</strong>
      {labels !== undefined && <span>point {point}</span>}
      {image === undefined &&
        columns.slice(0, mostColumns).map((name, j) => (
          <span key={name} class="numbers">
            {name}: {Number(row[j].toPrecision(4))}
          </span>
        ))}
      {image === undefined && columns.length > mostColumns && (
        <span>… {columns.length - mostColumns} more</span>
      )}
    </>
  );
}
