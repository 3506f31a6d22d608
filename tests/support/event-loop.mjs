/*
 * Loaded into a portal's process before it (node --import). On SIGUSR2 it writes a line: the longest time in milliseconds that the event
 * loop had no turn since the line before. Time in which the process did not compute does not count: another program had the machine then.
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
