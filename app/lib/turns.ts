/*
 * Long work on the one thread that answers everybody is done in slices of a few milliseconds. Between two slices everything else has its
 * turn, and of all long work only one slice is done between two turns, however many want one.
 */

const SLICE_MS = 3

type Waiting = { job: number; go: () => void }
const waiting: Waiting[] = []
let jobs = 0
let isTicking = false

/**
 * For one piece of long work: what it answers is awaited between its steps, and gives way once the slice is used up. The oldest work goes
 * first, so that each is done as soon as it can be and holds its memory no longer.
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
 * Waits until another piece of a file may move: one of all files together between two turns of the event loop, of at most 64 KB. A hundred
 * readers who begin at once fill their network buffers as fast as the process can copy, and a file that is sent from nearby comes faster
 * than it is looked through; without a limit no page has its turn meanwhile.
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
