import type { Paper } from "../paper.js";

export const spectral: Paper = {
  id: "spectral",
  short: "Spectral direction",
  title: "Partial-Hessian strategies for fast learning of nonlinear embeddings",
  authors: "Max Vladymyrov, Miguel Á. Carreira-Perpiñán",
  venue: "ICML 2012",
  view: "embed",
  viewName: "Embed",
  package: "optim-spectral",
  what: [
    "t-SNE, s-SNE, the elastic embedding and their kin pull neighbours together and push all others apart. The Hessian of the pull is a graph Laplacian, the same for every coordinate of the map. Taken alone as the Hessian, it can be factored once by Cholesky; then every iteration costs two triangular solves besides the gradient, and moves whole groups of points at a time.",
    "A homotopy in λ, the weight of the repulsion, leads from the spectral embedding (λ = 0, solved by eigenvectors) to the map that is wanted.",
  ],
  formulas: [
    {
      tex: String.raw`E(\mathbf X;\lambda)=E^+(\mathbf X)+\lambda\,E^-(\mathbf X)`,
      words: "The objective: attraction and repulsion of the points X, λ between them.",
    },
    {
      tex: String.raw`\mathbf B\,\mathbf P_k=-\mathbf G_k,\quad \mathbf B=4\,\mathbf L^{+}+\mu\mathbf I=\mathbf R^{\!\top}\mathbf R,\quad \mathbf X_{k+1}=\mathbf X_k+\alpha_k\mathbf P_k`,
      words:
        "The spectral direction: L⁺ is the Laplacian of the attractive weights, factored once; G is the gradient, α is found by backtracking.",
    },
  ],
  when: [
    "Maps of tens of thousands of points, in the browser or in Node, without a learning rate to find.",
    "Where gradient descent creeps: the direction is nearly free once the factor is there.",
    "Where one wants the same map each time: a seed gives the same bits on every engine.",
  ],
  whenNot: [
    "For distances between far groups: these maps keep neighbourhoods. Take principal components.",
    "Far beyond 70,000 points, the most that was tried.",
    "For a stationary point to many digits take the solver sd-lbfgs with a small tolerance; the default follows a schedule of evaluations.",
  ],
  measured: [
    {
      caption: "Handwritten digits, 1,797 × 64, from data to map",
      head: ["", "seconds", "KL", "neighbours kept", "trustworthiness"],
      rows: [
        ["curvature", "0.91", "0.7178", "0.5864", "0.9928"],
        ["DruidJS", "13.34", "0.8741", "0.5838", "0.9929"],
        ["tsne-js", "61.49", "2.4560", "0.0835", "0.9022"],
        ["umap-js", "2.89", "1.6075", "0.4892", "0.9887"],
      ],
      source: "docs/results/spectral/digits-peers.md",
      notes: [
        "Medians of three runs, by the clock. tsne-js had 50 of its 500 iterations; UMAP does not minimise the KL divergence. The first row is our recipe, which has the paper's matrix as its preconditioner and is not the paper's own method.",
      ],
    },
    {
      caption:
        "20,000 digits, t-SNE from 1e-5 × normal, each method for 60 s: E to 10 % and 1 % of E₀ − best",
      head: ["", "to 10 %, times SD's", "to 1 %, times SD's", "last E"],
      rows: [
        ["SD", "1.0", "1.0", "15.8999"],
        ["CG", "0.7", "over 1.2", "15.9637"],
        ["FP", "1.6", "over 1.2", "16.0184"],
        ["GD (growing steps)", "2.7", "over 1.2", "16.1609"],
        ["SD-LBFGS", "over 4.0", "over 1.2", "16.5181"],
        ["L-BFGS (unit first step)", "over 4.0", "over 1.2", "16.6864"],
      ],
      source: "docs/results/spectral/figure-4-tsne.md",
      notes: [
        "SD: the spectral direction, 50 s to 1 %. Medians of three starts. Still falling after 60 s, all of them.",
        "For the elastic embedding and s-SNE of the same digits L-BFGS with a scaled first step, CG and FP are ahead of SD (figure-4.md, figure-4-ssne.md).",
      ],
    },
  ],
};
