import { useEffect, useRef } from "preact/hooks";
import type { Dataset } from "../../data/dataset.js";

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
      {image !== undefined && <GreyPicture values={row} {...image} />}
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

interface GreyPictureProps {
  /** Row by row. */
  readonly values: ArrayLike<number>;
  readonly rows: number;
  readonly columns: number;
  /** The value of full ink. */
  readonly most: number;
}

function GreyPicture({ values, rows, columns, most }: GreyPictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context === null || context === undefined) return;
    const picture = context.createImageData(columns, rows);
    for (let k = 0; k < rows * columns; k++) {
      const grey = 255 - Math.round((255 * Math.min(most, Math.max(0, values[k]))) / most);
      picture.data.set([grey, grey, grey, 255], 4 * k);
    }
    context.putImageData(picture, 0, 0);
  }, [values, rows, columns, most]);
  return (
    <canvas
      ref={canvas}
      class="grey-picture"
      width={columns}
      height={rows}
      role="img"
      aria-label="the picture"
    />
  );
}
