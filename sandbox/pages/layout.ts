import { html } from 'hono/html'
import { type HtmlEscapedString } from 'hono/utils/html'

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>

export const STYLESHEET = `
:root { color-scheme: light dark; --line: light-dark(#d5dae3, #3a4150); --muted: light-dark(#566, #a9b0bd); --accent: light-dark(#2450a8, #8db4ff) }
html { background: light-dark(#fff, #14181f); color: light-dark(#1a1f28, #e6e9ef) }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 68rem; padding: 16px 24px 48px }
header { align-items: baseline; border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: 4px 16px; padding-bottom: 12px }
header strong { margin-right: auto }
h1 { font-size: 24px } h2 { font-size: 17px; margin-top: 32px } a { color: var(--accent) } small, .muted { color: var(--muted) }
table { border-collapse: collapse; width: 100% } th, td { border-bottom: 1px solid var(--line); padding: 8px 12px 8px 0; text-align: left; vertical-align: top }
.wide { overflow-x: auto } code { overflow-wrap: anywhere } label { display: block; font-weight: 600; margin-top: 12px }
input, select, button { font: inherit; min-height: 40px; padding: 4px 10px }
[type=checkbox] { height: 18px; margin: 0 6px 0 0; min-height: 0; vertical-align: -3px; width: 18px } button { cursor: pointer } form { margin: 12px 0 } form > button { margin: 4px 4px 4px 0 } td form { display: flex; flex-wrap: wrap; gap: 8px; margin: 0 } td form > button { margin: 0 }
`

/** The HTML of a sandbox page, with the broker's name on top. It needs no scripts. */
export function layout(brokerName: string, title: string, body: Html): Html {
	return html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>${title} · ${brokerName}</title>
				<link rel="stylesheet" href="/sandbox.css" />
				<link rel="icon" href="data:," />
			</head>
			<body>
				<header>
					<strong>${brokerName}</strong><a href="/">Sandbox</a><a href="/outbox">Outbox</a><a href="/control">Control</a
					><a href="/docs">API</a>
				</header>
				<main>
					<h1>${title}</h1>
					${body}
				</main>
			</body>
		</html>`
}

/** A table in a box that scrolls sideways; `rows` are `tr` elements. */
export function wideTable(heads: readonly string[], rows: readonly Html[]): Html {
	return html`<div class="wide">
		<table>
			<thead>
				<tr>
					${heads.map((head) => html`<th scope="col">${head}</th>`)}
				</tr>
			</thead>
			<tbody>
				${rows}
			</tbody>
		</table>
	</div>`
}

/** What a client confirms: labels and values, one pair a line. */
export function renderFacts(facts: readonly (readonly [string, string])[]): Html {
	return html`<table>
		<tbody>
			${facts.map(
				([label, value]) =>
					html`<tr>
						<th scope="row">${label}</th>
						<td>${value}</td>
					</tr>`,
			)}
		</tbody>
	</table>`
}

/** The portal's address to which a page of another site sends the client back. */
export function buildReturnAddress(portalUrl: string, path: string, query: { ref: string; status?: string }): string {
	const back = new URL(path, portalUrl)
	for (const [name, value] of Object.entries(query)) back.searchParams.set(name, value)
	return back.href
}
