/*
 * Loaded into a process before the portal (node --import). On SIGUSR2 it writes a line with the longest time in milliseconds without a
 * turn of the event loop since the line before. Time without computing does not count, because another program had the processor then.
 */
let turn = { at: performance.now(), cpu: process.cpuUsage() }
let longest = 0

function note() {
	const { user, system } = process.cpuUsage(turn.cpu)
	longest = Math.max(longest, Math.min(performance.now() - turn.at, (user + system) / 1000))
	turn = { at: performance.now(), cpu: process.cpuUsage() }
}

setInterval(note, 10).unref()
process.on('SIGUSR2', () => {
	note()
	process.stdout.write(`${JSON.stringify({ event: 'event_loop', longest: Math.round(longest) })}\n`)
	longest = 0
})
