import type { Paper } from "../paper.js";

export const sfo: Paper = {
  id: "sfo",
  short: "SFO",
  title: "Fast large-scale optimization by unifying stochastic gradient and quasi-Newton methods",
  authors: "Jascha Sohl-Dickstein, Ben Poole, Surya Ganguli",
  venue: "ICML 2014",
  view: "sum",
  viewName: "Sum of functions",
  package: "optim-sfo",
  what: [
    "For a sum of functions, such as a loss over minibatches. Every subfunction has a quadratic model of its own, renewed when it is evaluated; each step goes to the minimum of the models' sum. So a step costs one subfunction, as in stochastic gradient descent, and uses what is known of the curvature of all, as L-BFGS does.",
    "All of it happens in a subspace of the latest points and gradients, so that millions of parameters are no hindrance. There is no learning rate to choose.",
  ],
  formulas: [
    {
      tex: String.raw`F(\mathbf x)=\sum_{i=1}^N f_i(\mathbf x)\;\approx\;G(\mathbf x)=\sum_{i=1}^N g_i(\mathbf x)`,
      words: "The sum, and the sum of models.",
    },
    {
      tex: String.raw`g_i(\mathbf x)=f_i(\mathbf x_{\tau_i})+(\mathbf x-\mathbf x_{\tau_i})^{\!\top}f_i'(\mathbf x_{\tau_i})+\tfrac12(\mathbf x-\mathbf x_{\tau_i})^{\!\top}\mathbf H_i\,(\mathbf x-\mathbf x_{\tau_i})`,
      words:
        "Each model, around the point at which its subfunction was last evaluated; H by BFGS from its own history.",
    },
    {
      tex: String.raw`\mathbf x\leftarrow\mathbf x-\eta\,\mathbf H^{-1}\,G'(\mathbf x),\qquad \mathbf H=\sum_{i=1}^N\mathbf H_i`,
      words: "The step: to the minimum of G, with η = 1 unless a step has failed.",
    },
  ],
  when: [
    "Twenty-five to a hundred minibatches, each of which takes longer than 4 M K multiplications (M parameters, a subspace of K dimensions).",
    "Where nobody wants to tune a learning rate.",
    "Values that are the same each time they are asked for.",
  ],
  whenNot: [
    "Noise: values that change from call to call mislead the models. SGD or Adam bears them.",
    "Thousands of subfunctions, or one: join them into minibatches, or take L-BFGS.",
    "Deep autoencoders with few passes: on one of the two that were tried Adam was ahead.",
    "Constraints: there are none.",
  ],
  measured: [
    {
      caption: "Perceptron with 32 hidden units on the digits: F after 5, 10 and 20 passes",
      head: ["method", "setting", "of", "F after 5", "F after 10", "F after 20"],
      rows: [
        ["SFO", "untuned", "1", "2.63299", "0.822443", "0.677454"],
        ["SGD + momentum", "momentum:1:0.5", "32", "2.94692", "1.47331", "0.943959"],
        ["Adam", "adam:0.0316", "9", "2.00267", "1.42627", "0.968544"],
        ["L-BFGS", "lbfgs", "1", "38.6431", "10.4968", "2.63481"],
      ],
      source: "docs/results/sfo/figure-2.md",
      notes: [
        "“of”: how many settings were tried; the best by the last value is shown. After 5 passes SFO is at or below every tuned rival on 4 of 9 problems, after 10 on 6, after 20 on 7; on such small problems its passes take 3.4 to 96 times as long.",
      ],
    },
    {
      caption: "Twelve-layer autoencoder of the paper, a reduced run (100 images)",
      head: ["method", "setting", "start", "F after 5", "F after 10", "F after 20", "seconds"],
      rows: [
        ["SFO", "untuned", "23064.3", "2539.27", "2494.49", "2310.26", "95.2"],
        ["SGD + momentum", "momentum:0.001:0.9", "23064.3", "2562.78", "2553.18", "2546.75", "14.7"],
        ["Adam", "adam:0.001", "23064.3", "2556.73", "2546.08", "2403.07", "16.5"],
        ["L-BFGS", "lbfgs", "23064.3", "12782.4", "2592.2", "2535.28", "3.0"],
      ],
      source: "docs/results/sfo/figure-3.md",
      notes: [
        "842,340 parameters, medians of three seeds (SFO after twenty passes: 2195 to 2456), settings the best of small grids. In passes SFO is ahead of all; in seconds all three are ahead of it. Hessian-free, at 4382 after twenty passes, has begun late.",
      ],
    },
    {
      caption:
        "Time beside the subfunctions, and of a plain loop of 4 M K multiply-adds, CPU seconds of five passes",
      head: ["N x M", "mean K", "outside", "plain loop", "ratio", "MiB at most"],
      rows: [
        ["100x10000", "191", "3.48", "3.77", "0.97", "129"],
        ["50x100000", "97", "6.59", "7.72", "0.86", "269"],
      ],
      source: "docs/results/sfo/overhead.md",
      notes: [],
    },
  ],
};
