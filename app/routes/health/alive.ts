/** The process runs. Says nothing else. */
export function loader() {
	return new Response('ok', { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}
