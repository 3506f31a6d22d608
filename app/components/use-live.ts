import { useEffect, useState } from 'react'

/** True when a script runs on this page; false on the server and in the first render. */
export function useLive(): boolean {
	const [isLive, setLive] = useState(false)
	useEffect(() => setLive(true), [])
	return isLive
}
