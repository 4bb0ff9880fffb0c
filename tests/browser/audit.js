// What every state of the page must keep, whoever looks at it: returns the faults as texts.
() => {
  const faults = [];
  const short = (one) => one.outerHTML.slice(0, 120);
  const visible = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
  for (const id of new Set(ids.filter((one, index) => ids.indexOf(one) !== index))) faults.push(`id twice: ${id}`);

  for (const name of ["aria-controls", "aria-labelledby", "aria-activedescendant", "aria-describedby"]) {
    for (const one of document.querySelectorAll(`[${name}]`)) {
      for (const id of one.getAttribute(name).split(" ")) {
        if (visible(one) && !document.getElementById(id)) faults.push(`${name} points at nothing: ${short(one)}`);
      }
    }
  }

  for (const list of document.querySelectorAll("ul, ol")) {
    for (const one of list.children) if (one.tagName !== "LI") faults.push(`not an item of a list: ${short(one)}`);
  }

  const parse = (color) => {
    const [r, g, b, a = 1] = color.match(/[\d.]+/g).map(Number);
    return { r, g, b, a };
  };
  const over = (top, below) => {
    const mix = (name) => top[name] * top.a + below[name] * (1 - top.a);
    return { r: mix("r"), g: mix("g"), b: mix("b"), a: 1 };
  };
  const groundOf = (element) => {
    const layers = [];
    for (let one = element; one; one = one.parentElement) {
      const color = parse(getComputedStyle(one).backgroundColor);
      layers.push(color);
      if (color.a === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), { r: 255, g: 255, b: 255, a: 1 });
  };
  const light = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((one) => one / 255).map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const contrast = (one, other) => {
    const [high, low] = [light(one), light(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !visible(element) || element.closest("script, noscript, :disabled, .unseen, .spoiler[role]")) continue;
    const style = getComputedStyle(element);
    const ground = groundOf(element);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = contrast(over(parse(style.color), ground), ground);
    if (ratio < (large ? 3 : 4.5)) faults.push(`contrast ${ratio.toFixed(2)}: "${texts.currentNode.data.trim().slice(0, 40)}" ${short(element)}`);
  }

  for (const one of document.querySelectorAll("input, textarea, .composer-box, .select-button, .switch-mark")) {
    const style = getComputedStyle(one);
    if (!visible(one) || style.borderTopWidth === "0px" || ["radio", "checkbox"].includes(one.type) || one.closest(":disabled")) continue;
    const ratio = contrast(parse(style.borderTopColor), groundOf(one.parentElement));
    if (ratio < 3) faults.push(`edge ${ratio.toFixed(2)}: ${short(one)}`);
  }
  return faults;
};
