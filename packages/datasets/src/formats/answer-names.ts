/** Names of columns that say which object was chosen, and whether as the nearer one or as the farther. */
import { plain } from "./beside-columns.js";

/** Marks around each, so that one test finds a name. */
const answers =
  " response resp answer choice chosen winner selected selection select decision judgment judgement picked pick closer nearer " +
  "odd odd_one_out oddball preferred button_pressed key_press user_response subject_response ";

/** What stands behind the words for a farther one, and says nothing of it: least_similar, odd_one_out, farther item. */
const ending = /_?(one_out|one|out|object|item|response|resp|answer|choice|chosen|similar|alike|like|near)$/;
const farther =
  /^(odd|oddball|outlier|far(ther|thest)?|furth(er|est)|(dis|un)similar|unlike|different|least|most_(dissimilar|different|unlike|distant)|.+_(odd|least|farthest|furthest))$/;

/** Whether a name says that the farther object is meant. */
export const namesFarther = (name: string): boolean => farther.test(plain(name).replace(ending, ""));

/** Names that say so, but may as well say something else. */
const mayBeOther = new Set(["far", "different"]);

/** Whether a name says that answers are right or wrong, or which would be right: the answer itself is another. */
export const namesAccuracy = (name: string): boolean =>
  /^((is|was|answered|resp|response|answer)_?)?(in)?correct(ness|_?(answer|response|resp))?$|^(.+_)?acc(uracy)?$|^hits?$/.test(
    plain(name),
  );

/** Whether a name is one that columns of answers have. */
export const namesAnswer = (name: string): boolean =>
  answers.includes(` ${plain(name)} `) || (namesFarther(name) && !mayBeOther.has(plain(name)));

/** Whether the names of two candidates' columns say that the first is the nearer one. */
export const saySorted = (first: string | undefined, second: string | undefined): boolean =>
  /^(.+_)?(near(er|est)?|close(r|st)?|winner|positive)(_.+)?$/.test(plain(first ?? "")) &&
  /^(.+_)?(far(ther|thest)?|furth(er|est)|loser|negative)(_.+)?$/.test(plain(second ?? ""));
