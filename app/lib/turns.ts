/*
 * Long work on the single thread is done in slices of a millisecond, so that other requests are handled between two slices. Of all
 * long work only one slice runs between two turns of the event loop.
 */

const SLICE_MS = 1

type Waiting = { job: number; go: () => void }
const waiting: Waiting[] = []
let jobs = 0
let isTicking = false

/**
 * For one piece of long work: await the returned function between its steps; it yields when the slice is used up. The oldest work goes
 * first, so that it finishes early and frees its memory.
 */
export function takeTurns(): () => Promise<void> {
	const job = (jobs += 1)
	let started = performance.now()
	return async () => {
		if (performance.now() - started < SLICE_MS) return
		await new Promise<void>((go) => {
			waiting.push({ job, go })
			if (!isTicking) setImmediate(tick)
			isTicking = true
		})
		started = performance.now()
	}
}

function tick() {
	waiting.sort((a, b) => a.job - b.job)
	waiting.shift()?.go()
	isTicking = waiting.length > 0
	if (isTicking) setImmediate(tick)
}

const pieces: (() => void)[] = []

/**
 * Waits until another piece of a file may be sent: one piece of all files together per turn of the event loop, of at most 64 KB. A hundred
 * readers that begin at once fill their network buffers as fast as the process can copy, and a file from a near host arrives faster than it
 * is checked; without a limit no page would get a turn.
 */
export function movePiece(): Promise<void> {
	return new Promise((go) => {
		if (pieces.push(go) === 1) setImmediate(nextPiece)
	})
}

function nextPiece() {
	const go = pieces.shift()
	if (pieces.length > 0) setImmediate(nextPiece)
	go?.()
}
