/**
 * A network of two layers learns "exclusive or": value and gradient by TensorFlow.js, the minimum by curvature.
 *
 *   npm install @curvature/optim-core @tensorflow/tfjs-core @tensorflow/tfjs-backend-cpu
 *
 * In a page, or by any bundler. In Node itself: `import * as tf from "@tensorflow/tfjs"` in the place of the three imports of @tensorflow.
 */
import "@tensorflow/tfjs-backend-cpu"; // or tfjs-backend-webgl
import "@tensorflow/tfjs-core/dist/register_all_gradients.js";
import { checkGradient, minimize } from "@curvature/optim-core";
import * as tf from "@tensorflow/tfjs-core";

await tf.ready();
const inputs = tf.tensor2d([0, 0, 0, 1, 1, 0, 1, 1], [4, 2]);
const targets = tf.tensor1d([0, 1, 1, 0]);

// The order of the parameters is that of the arguments of the loss.
const start = [
  [
    [1, -1, 0.5],
    [-1, 1, 0.5],
  ],
  [0, 0, 0],
  [1, 1, -1],
  0,
];
const gradients = tf.valueAndGrads((w1, b1, w2, b2) => {
  const hidden = tf.tanh(tf.add(tf.matMul(inputs, w1), b1));
  const outputs = tf.add(tf.dot(hidden, w2), b2);
  const decay = tf.add(tf.sum(tf.square(w1)), tf.sum(tf.square(w2)));
  return tf.add<tf.Scalar>(tf.losses.sigmoidCrossEntropy(targets, outputs), tf.mul(decay, 0.001));
});
// Every tensor of an evaluation is freed at its end; gradients go out as rows of numbers.
const loss = (parameters: typeof start) =>
  tf.tidy(() => {
    const { value, grads } = gradients(parameters.map((part) => tf.tensor(part)));
    return { value: value.arraySync(), gradient: grads.map((grad) => grad.dataSync()) };
  });

const single = { valueNoise: 2 ** -23 }; // TensorFlow.js computes in single precision
console.log(checkGradient(loss, start, single).message); // The gradient is right: …
const { status, parameters, value, evaluations } = await minimize(loss, start, single);
console.log(status, value, evaluations, parameters); // converged
console.log(`${tf.memory().numTensors} tensors left`); // 2: inputs and targets
