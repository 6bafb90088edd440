// SPDX-License-Identifier: Apache-2.0

extension HTMLPage {
  /// The look of the page, in light and in dark, as the reader's system has it.
  static let style = """
    :root {
      color-scheme: light dark;
      --bg: light-dark(#fbfaf7, #17181a); --fg: light-dark(#1d1d1b, #e9e7e2); --dim: light-dark(#63605a, #a3a09a);
      --line: light-dark(#dcd9d2, #34363a); --panel: light-dark(#ffffff, #1f2124); --bad: light-dark(#b3261e, #ff8a80);
      --turn: light-dark(#8a5300, #ffc166); --pick: light-dark(#e6effb, #26384f); --ring: light-dark(#0b57d0, #8ab4f8);
      --hit: light-dark(#fff2a8, #5c4d00);
    }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--bg); color: var(--fg); font: 15px/1.45 system-ui, sans-serif; }
    header, main, footer { padding: 0 1.25rem; }
    header { padding-top: 1rem; }
    h1 { font-size: 1.25rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
    h2 { font-size: .8rem; margin: 1rem 0 .35rem; color: var(--dim); text-transform: uppercase; letter-spacing: .06em; }
    pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
    code, .text, .mono { font: 13px/1.5 ui-monospace, monospace; }
    .text { white-space: pre; overflow-x: auto; padding: .75rem 0; }
    .verdict { border-left: 4px solid var(--bad); padding: .15rem 0 .15rem .85rem; }
    .dim { color: var(--dim); }
    header p { margin: .5rem 0; overflow-wrap: anywhere; }
    button, select, input { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line);
      border-radius: 6px; padding: .2rem .55rem; }
    button { cursor: pointer; }
    :focus-visible { outline: 2px solid var(--ring); outline-offset: 1px; }
    .bar { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; padding: .6rem 1.25rem; position: sticky; top: 0;
      background: var(--bg); border-bottom: 1px solid var(--line); z-index: 3; }
    .bar input { width: 16rem; }
    main { display: grid; grid-template-columns: minmax(0, 1fr) 22rem; gap: 1.25rem; align-items: start; }
    .scroll { overflow: auto; max-height: calc(100vh - 5rem); border-bottom: 1px solid var(--line); }
    table { border-collapse: separate; border-spacing: 0; min-width: 100%; }
    th { position: sticky; top: 0; background: var(--bg); text-align: left; font-weight: 600; z-index: 2; white-space: nowrap;
      border-bottom: 1px solid var(--line); }
    th, td { padding: .1rem .5rem; vertical-align: top; }
    td.mark, th:first-child, th:nth-child(2), td.n { width: 1px; white-space: nowrap; }
    td.n { text-align: right; color: var(--dim); white-space: nowrap; font-variant-numeric: tabular-nums; }
    td.lane { min-width: 8rem; max-width: 9rem; white-space: nowrap; }
    td.live { background: linear-gradient(var(--line), var(--line)) .75rem 0 / 1px 100% no-repeat; }
    tr, .chip { scroll-margin: 6rem 0 3rem; }
    tr.switch td { border-top: 1px dashed var(--line); }
    tr.hit td.n { background: var(--hit); color: var(--fg); }
    tr[aria-selected=true] td { background-color: var(--pick); }
    tr:focus { outline: none; }
    tr:focus-visible td:first-child { box-shadow: inset 3px 0 var(--ring); }
    .mark { color: var(--turn); font-weight: 700; }
    .chip { display: inline-block; border-radius: 5px; padding: 0 .4rem; max-width: 42rem; overflow: hidden; text-overflow: ellipsis;
      vertical-align: bottom;
      background: light-dark(hsl(var(--hue) 55% 90%), hsl(var(--hue) 30% 25%)); }
    td.shared { max-width: none; }
    .chip.side { background: none; color: var(--dim); padding: 0 .4rem 0 0; }
    .chip.turn { box-shadow: 0 0 0 2px var(--turn); }
    .chip.issue { background: none; color: var(--bad); font-weight: 600; }
    .fn { color: var(--dim); }
    aside { position: sticky; top: 4rem; max-height: calc(100vh - 5rem); overflow: auto; background: var(--panel);
      border: 1px solid var(--line); border-radius: 10px; padding: .1rem 1rem 1rem; }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem .75rem; margin: 0; }
    dt { color: var(--dim); }
    dd { margin: 0; overflow-wrap: anywhere; }
    aside ul { list-style: none; margin: 0; padding-left: 1rem; }
    aside section > ul { padding-left: 0; }
    .node::before { content: "\\25CF\\00A0"; color: light-dark(#1a7f37, #5bd67f); }
    .node.inactive::before { content: "\\25CB\\00A0"; color: var(--dim); }
    .node.changed { background: var(--hit); border-radius: 4px; padding-right: .3rem; }
    details { margin: .75rem 0; border-top: 1px solid var(--line); padding-top: .5rem; }
    dialog { background: var(--panel); color: var(--fg); border: 1px solid var(--line); border-radius: 10px; }
    kbd { border: 1px solid var(--line); border-radius: 4px; padding: 0 .35rem; font: 13px ui-monospace, monospace; }
    @media (max-width: 60rem) { main { grid-template-columns: minmax(0, 1fr); } aside { position: static; max-height: none; } }
    """
}
