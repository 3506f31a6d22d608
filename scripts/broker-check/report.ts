import { findExitCode, listExtras, type Result, type State } from './check'

const WORDS: Record<State, string> = {
	ok: 'ok',
	remarks: 'read with remarks',
	unreadable: 'unreadable',
	absent: 'absent',
	skipped: 'not asked',
}

const VERDICTS = {
	0: 'Every required operation that was asked is fine.',
	1: 'Every required operation can be read, some with remarks.',
	2: 'At least one required operation is absent or cannot be read.',
} as const

/** Returns one line of the table. The detail and the meaning are not cut. */
export function formatLine({ id, ms, state, isRequired, detail, means }: Result): string {
	const time = ms === undefined ? '' : `${ms} ms`
	const kind = isRequired ? 'required' : 'optional'
	return `${id.padEnd(28)} ${time.padStart(8)}  ${kind}  ${WORDS[state].padEnd(18)} ${detail ? `${detail}. ` : ''}${means}`
}

/** Returns the number of operations in each state, the verdict, and the optional operations that will and will not be available. */
export function formatSummary(results: readonly Result[]): string {
	const { live, missing } = listExtras(results)
	const count = (isRequired: boolean) =>
		(Object.keys(WORDS) as State[])
			.map(
				(state) => [results.filter((result) => result.isRequired === isRequired && result.state === state).length, WORDS[state]] as const,
			)
			.filter(([many]) => many > 0)
			.map(([many, word]) => `${many} ${word}`)
			.join(', ')
	const list = (title: string, extras: string[]) => (extras.length > 0 ? [title, ...extras.map((extra) => `  ${extra}`)] : [])
	return [
		`Required: ${count(true)}`,
		`Optional: ${count(false)}`,
		VERDICTS[findExitCode(results)],
		...list(`\nExtras that will be live (${live.length}):`, live),
		...list(`\nExtras that will not be offered (${missing.length}):`, missing),
	].join('\n')
}

/** Returns the report as JSON. `exit` is the exit code. */
export function formatJson(url: string, results: readonly Result[]): string {
	return `${JSON.stringify({ url, exit: findExitCode(results), extras: listExtras(results), results }, null, '\t')}\n`
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const STYLE = `:root { color-scheme: light dark } body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem }
table { border-collapse: collapse; width: 100% } th, td { border-bottom: 1px solid #8886; padding: 6px 12px 6px 0; text-align: left; vertical-align: top }
.ok { color: light-dark(#17683a, #7bd19c) } .remarks { color: light-dark(#8a5a00, #f0c060) } .unreadable, .absent { color: light-dark(#a8201a, #ff9d94) }
code { overflow-wrap: anywhere } pre { white-space: pre-wrap }`

/** Returns the report as one HTML file without scripts. */
export function formatHtml(url: string, results: readonly Result[]): string {
	const rows = results.map(
		({ id, call, isRequired, state, ms, detail, means }) =>
			`<tr><td><code>${id}</code><br><small>${escape(call)}</small></td><td>${isRequired ? 'required' : 'optional'}</td><td class="${state}">${WORDS[state]}</td><td>${ms === undefined ? '' : `${ms} ms`}</td><td>${escape(detail)}</td><td>${escape(means)}</td></tr>`,
	)
	return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Broker check of ${escape(url)}</title><style>${STYLE}</style>
<h1>Broker check</h1><p><code>${escape(url)}</code></p><pre>${escape(formatSummary(results))}</pre>
<table><thead><tr><th>Operation<th>Kind<th>Result<th>Time<th>Remarks<th>Pages</thead><tbody>
${rows.join('\n')}
</tbody></table></html>
`
}
