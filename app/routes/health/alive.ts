/** Answers `ok` while the process runs; checks nothing else. */
export function loader() {
	return new Response('ok', { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}
