/** The default theme with the system's fonts, which need no download. */
import theme from "vitepress/theme-without-fonts";
import "./style.css";

export default theme;
