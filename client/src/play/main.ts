import "../styles/tokens.css";

document.getElementById("app")?.append("Loading …");
