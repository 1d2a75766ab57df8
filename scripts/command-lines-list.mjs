/** The command lines that `command-lines.mjs` runs, all commands and all kinds of solver, and the small data that they read. */
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { loadDigits } from "@curvature/datasets/digits";

/** Runs to the first limit, keeps a checkpoint, and goes on from it to the second. */
const resumed = (line, limit, first, second) =>
  `${line} ${limit} ${first} --checkpoint run.checkpoint && ${line} ${limit} ${second} --checkpoint run.checkpoint --resume`;

const lookLines = [
  "look digits.csv",
  "look groups.csv --labels group --json --values",
  "look distances.csv --header no --json",
  "look words.svm.gz --json",
];

const embed = "embed digits.csv --labels digit --perplexity 8 --quiet --out map.csv --report report.json";
const train = "train groups.csv --labels group --ignore id --quiet --model model.json --report report.json";
const trainRows = "train words.svm --quiet --model model.json --report report.json";
const disentangle =
  "disentangle groups.csv --labels group --ignore id --memory-limit 1 --quiet --report report.json";
const ordinal = "ordinal answers.csv --quiet --out map.csv --report report.json";
const fit = "fit digits.csv --labels digit --minibatches 10 --quiet --out x.csv --report report.json";
const sweepEnd = "--concurrency 1 --quiet --out results";

const embedLines = [
  `${embed} --plot map.svg`,
  "embed digits.csv --labels digit",
  ...["sd", "sd-lbfgs", "sdminus", "fp", "diagh", "gd", "cg", "lbfgs"].map((solver) =>
    resumed(`${embed} --solver ${solver}`, "--max-iterations", 10, 25),
  ),
  resumed(`${embed} --max-evaluations 60`, "--max-iterations", 10, 200),
  ...["ssne", "ee", "tee"].map((method) => `${embed} --method ${method} --max-evaluations 40`),
  ...["sne", "ssne", "ee", "tee"].map(
    (method) => `${embed} --method ${method} --solver sd --max-iterations 20`,
  ),
  `${embed} --method ee --repulsion constant --solver sd --homotopy --max-iterations 60`,
  `${embed} --method ee --lambda 20 --solver sd --kappa 5 --max-iterations 20`,
  `${embed} --method laplacian --dim 3`,
  `${embed} --init laplacian --neighbors 20 --max-evaluations 30`,
  `${embed} --init random --seed 5 --dim 3 --max-evaluations 30 --plot map.html`,
  `${embed} --dim 1 --neighbors all --max-evaluations 30 --plot map.svg`,
  `${embed} --pca 10 --scale max --max-evaluations 30 --plot map.png`,
  `${embed} --scale standard --solver sd --tolerance 1e-2`,
  "embed cloud.csv --gradient single --max-evaluations 20 --quiet --out map.npy --report report.json",
  "embed cloud.csv --gradient barnes-hut --theta 0.5 --max-evaluations 20 --quiet --out map.npy --report report.json",
  "embed cloud.csv --gradient barnes-hut --dim 3 --solver lbfgs --max-iterations 10 --quiet --out map.json",
  "embed cloud.csv --gradient fft --max-evaluations 20 --quiet --out map.npy --report report.json",
  "embed cloud.csv --gradient fft --solver diagh --max-iterations 10 --quiet --out map.tsv",
  "embed cloud.csv --neighbor-search approximate --perplexity 5 --max-evaluations 10 --quiet --out map.csv --report report.json",
  "embed many.csv --threads 2 --gradient exact --max-evaluations 5 --quiet --out map.csv --report report.json",
  "embed words.svm --pca 5 --scale unit --max-evaluations 20 --quiet --out map.csv --report report.json",
  "embed cloud.csv --max-evaluations 5 --quiet --out map.npy && embed map.npy --max-evaluations 10 --quiet && embed cloud.csv --init map.npy --max-evaluations 10 --quiet",
  "embed digits.csv --labels digit --max-evaluations 10 --json --out map.csv",
  "embed rows.jsonl --ignore name --max-evaluations 10 --quiet --report -",
];

const trainLines = [
  `${train} --plot curve.svg --test 0.2 && predict model.json groups.csv --scores --quiet && evaluate model.json groups.csv --labels group`,
  "train words.svm --quiet",
  "train words.svm.gz --solver dcd --loss hinge --quiet",
  ...["newton", "dcd", "lbfgs"].map((solver) =>
    resumed(
      `${trainRows} --solver ${solver} --loss ${solver === "dcd" ? "hinge" : "squared-hinge"} --tolerance 1e-6`,
      "--max-passes",
      3,
      60,
    ),
  ),
  ...["sgdqn", "sgdqn-2009", "svmsgd2", "sgd", "asgd", "olbfgs"].map((solver) =>
    resumed(`${trainRows} --solver ${solver}`, "--max-passes", 2, 5),
  ),
  ...["newton", "dcd", "lbfgs", "sgdqn", "asgd"].map((solver) =>
    resumed(`${train} --solver ${solver}`, "--max-passes", 2, 5),
  ),
  ...["smoothed-hinge", "logistic", "modified-huber"].map(
    (loss) => `${train} --loss ${loss} --solver newton`,
  ),
  `${train} --loss hinge --probabilities && predict model.json groups.csv --probabilities --quiet --out predicted.csv && evaluate model.json groups.csv --labels group --report evaluated.json`,
  `${train} --loss logistic && inspect model.json --weights weights.json --plot bars.svg && inspect model.json --json`,
  `${trainRows} --loss logistic && inspect model.json && evaluate model.json words.svm --positive -1 --choose-threshold f1 --plot curves.svg && predict model.json words.svm --quiet --scores --probabilities --positive -1 --costs fp=1,fn=5`,
  `${train} --loss logistic --probabilities && predict model.json groups.csv --probabilities --quiet`,
  `${train} --lambda auto`,
  `${train} --folds 3 --bias free --scale standard`,
  `${train} --class-weight a=3,b=1,c=2 --bias none --scale max`,
  `${trainRows} --class-weight balanced --lambda 0.01 --scale rms --seed 3 --test 0.3 --plot curve.html`,
  `${trainRows} --stream --max-passes 3 && predict model.json words.svm --quiet && evaluate model.json words.svm`,
  resumed(`${trainRows} --stream --solver asgd --t0 100`, "--max-passes", 1, 3),
  `${trainRows} --stream --classes 1,-1 --loss logistic --max-passes 2`,
  `${trainRows} --solver svmsgd2 --no-shuffle --max-passes 3 --index-base 1`,
  ...["squared-error", "huber"].map(
    (loss) =>
      `train prices.csv --labels price --loss ${loss} --test 0.2 --quiet --model model.json --report report.json --plot curve.png && predict model.json prices.csv --labels price --quiet && evaluate model.json prices.csv --labels price --report -`,
  ),
  "train prices.csv --labels price --loss squared-error --solver sgdqn --max-passes 3 --quiet --model model.json --report report.json",
  "train prices.csv --labels price --loss squared-error --lambda auto --quiet --model model.json --report report.json",
];

const disentangleLines = [
  `${disentangle} -k 3 --assignments clusters.csv --out q.npy --embedding plane.csv --plot q.svg`,
  `disentangle groups.csv --ignore id,group -k 3 --memory-limit 1`,
  `${disentangle} -k 4 --standardize --model clusters.model --hierarchy nested.csv --dendrogram tree.svg --plot q.svg && assign clusters.model groups.csv --labels group --keep id --quiet && inspect clusters.model`,
  "disentangle groups.csv --ignore id,group -k 3 --memory-limit 1 --metric cosine --quiet --assignments clusters.csv --model clusters.model --plot q.svg && inspect clusters.model --json && assign clusters.model groups.csv --ignore id,group --quiet --out assigned.csv",
  `${disentangle} -k auto --max-clusters 4 --noise-label --assignments clusters.csv --plot q.svg --choice-plot choice.svg`,
  ...["cg", "admm", "bm"].map((solver) =>
    resumed(`${disentangle} -k 4 --solver ${solver} --out q.csv`, "--max-iterations", 10, 60),
  ),
  `${disentangle} -k 3 --solver bm --certify --assignments clusters.tsv --out q.json --plot q.html`,
  `${disentangle} -k 3 --solver bm --no-certify --scale none --pca 2 --embedding plane.npy`,
  "disentangle rings.csv --layers auto --memory-limit 1 --max-iterations 300 --quiet --assignments clusters.csv --report report.json --plot q.png",
  resumed(
    "disentangle rings.csv --layers 20,8,2 --memory-limit 1 --quiet --assignments clusters.csv --report report.json",
    "--max-iterations",
    40,
    200,
  ),
  "disentangle distances.csv --input distances -k 3 --memory-limit 1 --quiet --assignments clusters.csv --report report.json",
  "disentangle gram.csv --input gram -k 3 --tolerance 1e-4 --memory-limit 1 --quiet --assignments clusters.csv --report report.json",
];

const ordinalLines = [
  `${ordinal} --test 0.2 --plot map.svg`,
  "ordinal answers.csv",
  ...["svrg-sbb", "svrg-bb", "svrg", "sgd", "gd", "lbfgs"].map((solver) =>
    resumed(`${ordinal} --solver ${solver}`, "--max-passes", 5, 20),
  ),
  `${ordinal} --solver gram --max-passes 20`,
  ...["logistic", "tste", "ste", "gnmds", "ckl", "smooth-hinge"].map(
    (loss) => `${ordinal} --loss ${loss} --solver svrg-sbb --max-passes 10`,
  ),
  `${ordinal} --loss tste --alpha 2 --dim 3 --restarts 2 --init random --seed 4 --ridge 0.01 --max-passes 10 --plot map.html`,
  `${ordinal} --loss ckl --mu 0.1 --init spectral --solver lbfgs --max-passes 10 --plot map.png`,
  "ordinal --from-distances distances.csv --answers 300 --max-passes 10 --quiet --out map.json --report report.json",
  `${ordinal} --max-passes 10 && questions --map map.csv --answers answers.csv --count 12 --quiet --out questions.csv`,
  "questions --answers answers.csv --count 5 --random-first 10 --repeat --quiet",
  "questions --names names.txt --count 8 --seed 2 --quiet",
];

const fitLines = [
  `${fit} --objective softmax --compare sfo,lbfgs,adam:0.01 --max-passes 3 --plot curves.svg`,
  ...[
    "sfo",
    "sgd:0.01",
    "momentum",
    "adagrad",
    "adam:0.01",
    "sag",
    "lbfgs:5",
    "minibatch-lbfgs",
    "hessian-free",
  ].map((solver) => resumed(`${fit} --objective softmax --solver ${solver}`, "--max-passes", 2, 4)),
  "fit digits.csv --labels parity.txt --ignore digit --objective logistic --regularization 0.01 --max-passes 3 --quiet --out x.json --report report.json",
  `${fit} --objective mlp --hidden 8,6 --max-passes 3`,
  "fit digits.csv --labels digit --objective mlp --hidden 8 --test 0.2 --max-passes 3 --quiet --model net.json && predict net.json digits.csv --probabilities --quiet && evaluate net.json digits.csv --quiet",
  `${fit} --objective convnet --image 8x8 --filter 3 --hidden 3,4 --max-passes 2`,
  "fit digits.csv --ignore digit --objective autoencoder --hidden 8 --contraction 0.5 --decoder linear --max-passes 2 --quiet --out x.npy --report report.json",
  "fit digits.csv --ignore digit --objective deep-autoencoder --hidden 8,4 --max-passes 2 --quiet --out x.npy --report report.json",
  "fit cloud.csv --objective ica --scale standard --max-passes 3 --quiet --out x.csv --report report.json",
  "fit bits.csv --objective ising --max-passes 3 --quiet --out x.csv --report report.json",
  `${fit} --objective softmax --batch 4 --seed 7 --max-passes 3`,
  "fit puromycin.csv --formula rate~Vm*conc/(K+conc) --start Vm=200,K=0.1 --out rows.csv --plot curve.svg --report report.json",
  "fit puromycin.csv --formula log(rate)~log(Vm*conc/(K+conc)) --loss huber --lower K=0 --level 0.9 --quiet",
  "fit --module problem.mjs --max-passes 10 --quiet",
  resumed("fit --module problem.mjs --quiet --out x.csv --report report.json", "--max-passes", 2, 30),
  "fit --module problem.mjs --solver lbfgs --tolerance 1e-8 --quiet --out x.csv --report report.json",
  `${fit} --objective mlp --hidden 8 --validation 0.2 --patience 2 --max-passes 12 --plot curves.svg`,
  resumed(`${fit} --objective softmax --solver adam:0.01 --validation 0.3`, "--max-passes", 2, 6),
];

const sweepLines = [
  `sweep embed digits.csv --labels digit --grid perplexity=5,10 --restarts 2 --init random --max-evaluations 10 ${sweepEnd}`,
  `sweep train groups.csv --labels group --ignore id --grid lambda=0.1,1 --folds 2 ${sweepEnd}`,
  `sweep disentangle groups.csv --ignore id,group --memory-limit 1 --grid clusters=2,3 ${sweepEnd}`,
  `sweep ordinal answers.csv --grid loss=soe,ste --max-passes 5 --test 0.2 ${sweepEnd}`,
  `sweep fit digits.csv --labels digit --objective softmax --grid solver=sfo;lbfgs --max-passes 2 ${sweepEnd}`,
];

const refusedLines = [
  "look absent.csv",
  "embed absent.csv",
  "embed digits.csv",
  "embed digits.csv --labels digit --perplexity 1",
  "embed digits.csv --labels digit --solver newton",
  "embed digits.csv --labels digit --gradient single --solver sd",
  "embed digits.csv --labels digit --resume",
  "train groups.csv --labels absent",
  "train words.svm --loss hinge --solver newton",
  "predict digits.csv digits.csv",
  "assign digits.csv digits.csv",
  "disentangle groups.csv --ignore id,group -k 1000",
  "ordinal answers.csv --test 2",
  "questions --count 0",
  "fit digits.csv --objective absent",
  "sweep embed digits.csv --grid perplexity=0 --out results",
  "worker",
];

export const commandLines = [
  ...lookLines,
  ...embedLines,
  ...trainLines,
  ...disentangleLines,
  ...ordinalLines,
  ...fitLines,
  ...sweepLines,
  ...refusedLines,
];

/** From 0 to 0.999, evenly and without a pattern, by whole numbers alone: the same on every machine. */
function noise(i, j) {
  const mixed = Math.imul(Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(j + 1, 0x85ebca6b), 0x2c1b3c6d);
  return ((Math.imul(mixed ^ (mixed >>> 15), 0x297a2d39) >>> 8) % 1000) / 1000;
}

const table = (rows, columns, cell) =>
  Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => cell(i, j)));

const text = (rows, header) =>
  `${[...(header ? [header] : []), ...rows].map((row) => row.join(",")).join("\n")}\n`;

const squared = (a, b) => a.reduce((sum, x, j) => sum + (x - b[j]) * (x - b[j]), 0);

/** Writes the data of all lines into a folder. */
export async function writeData(folder) {
  const write = (name, content) => writeFileSync(join(folder, name), content);

  const { points, labels } = await loadDigits();
  const digits = table(100, 64, (i, j) => points.data[64 * i + j] / 16);
  write(
    "digits.csv",
    text(
      digits.map((row, i) => [...row, labels[i]]),
      [...digits[0].map((_, j) => `p${j}`), "digit"],
    ),
  );
  write("parity.txt", text(digits.map((_, i) => [labels[i] % 2 === 0 ? "even" : "odd"])));
  write(
    "bits.csv",
    text(table(80, 6, (i, j) => Number(noise(i, 3 * (j >> 1)) > 0.5) ^ Number(noise(i, j + 50) > 0.8))),
  );

  const groups = table(45, 4, (i, j) => 4 * Number(j === i % 3) + noise(i, j) + noise(j, i));
  write(
    "groups.csv",
    text(
      groups.map((row, i) => [`n${i}`, ...row, "abc"[i % 3]]),
      ["id", "f0", "f1", "f2", "f3", "group"],
    ),
  );
  write(
    "rows.jsonl",
    groups.map(([x, y, z], i) => `${JSON.stringify({ name: `n${i}`, x, y, z })}\n`).join(""),
  );
  write("gram.csv", text(groups.map((a) => groups.map((b) => a.reduce((sum, x, j) => sum + x * b[j], 0)))));
  write("many.csv", text(table(820, 3, noise)));
  write("cloud.csv", text(table(320, 3, (i, j) => 3 * Number(j === i % 3) + noise(i, j) * noise(i, j + 7))));
  write(
    "prices.csv",
    text(
      table(60, 4, (i, j) => (j < 3 ? noise(i, j) : 2 + 3 * noise(i, 0) - noise(i, 1) + noise(i, 9) / 5)),
      ["a", "b", "c", "price"],
    ),
  );

  const words = Array.from({ length: 150 }, (_, i) => {
    const indices = [...new Set(Array.from({ length: 6 }, (_, k) => 1 + Math.floor(30 * noise(i, 11 * k))))];
    const score = indices.reduce((sum, index) => sum + noise(index, 5) - 0.5, 0) + noise(i, 77) / 5;
    const cells = indices.sort((a, b) => a - b).map((index) => `${index}:${1 + (index % 3)}`);
    return `${score > 0 ? "+1" : "-1"} ${cells.join(" ")}\n`;
  });
  write("words.svm", words.join(""));
  write("words.svm.gz", gzipSync(words.join("")));

  const examples = join(import.meta.dirname, "..", "examples");
  copyFileSync(join(examples, "formula", "puromycin.csv"), join(folder, "puromycin.csv"));

  // Two rings, each point the one before it turned by 2 arctan 1/5.
  const rings = [];
  for (let k = 0, x = 1, y = 0; k < 16; k++, [x, y] = [(12 * x - 5 * y) / 13, (5 * x + 12 * y) / 13]) {
    rings.push([x, y, 0], [4 + y, x, 1]);
  }
  write("rings.csv", text(rings));

  const places = table(12, 2, (i, j) => noise(i + 2, j + 1));
  const names = places.map((_, i) => `town${i}`);
  const distances = places.map((a) => places.map((b) => Math.sqrt(squared(a, b))));
  write("distances.csv", text(distances));
  write("names.txt", text(names.map((name) => [name])));
  const answers = [];
  for (let k = 0; k < 400; k++) {
    const [i, j, l] = [0, 1, 2].map((part) => Math.floor(12 * noise(k, 13 * part + 1)));
    if (i === j || i === l || j === l) continue;
    // One in ten is wrong, so that there is no map of all of them.
    const isNearer = distances[i][j] < distances[i][l] !== noise(k, 100) > 0.9;
    answers.push(isNearer ? [names[i], names[j], names[l]] : [names[i], names[l], names[j]]);
  }
  write("answers.csv", text(answers, ["i", "j", "k"]));

  write(
    "problem.mjs",
    `export default {
  dimension: 3, count: 6, initial: [1, 2, 3],
  evaluate(index, x, gradient) {
    const residual = x[0] * index + x[1] - x[2] * index * index - 2 * index;
    if (gradient) gradient.set([residual * index + x[0] / 10, residual, -residual * index * index + x[2] / 10]);
    return (residual * residual) / 2 + (x[0] * x[0] + x[2] * x[2]) / 20;
  },
};
`,
  );
}
