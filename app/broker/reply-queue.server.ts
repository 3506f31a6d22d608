import { limitPerClient } from './client-limit.server'

/*
 * Long replies wait for each other: two of different clients are received and read at once. A client has one of these places at most, so a
 * reply that the broker sends slowly holds up only its own client.
 */

/** Maximum number of long replies received and read at once. One of 15 MB takes 50 MB of memory. */
const MOST_AT_ONCE = 2
/**
 * Maximum number of long replies of one client that wait or are read. Each holds a connection to the broker, and its reading goes on when
 * the browser has left, because another visit may wait for the same reply.
 */
const MOST_OF_ONE_CLIENT = 8

/** The clients whose long replies are received and read. */
const underWay = new Set<string>()
const waiting: { client: string; go: () => void }[] = []
const countReply = limitPerClient(
	MOST_OF_ONE_CLIENT,
	`You have ${MOST_OF_ONE_CLIENT} long reports loading. Wait until one of them is ready, then try again.`,
)

/** Lets the replies in that have waited longest, as far as there are places. */
function letIn(): void {
	while (underWay.size < MOST_AT_ONCE) {
		const index = waiting.findIndex(({ client }) => !underWay.has(client))
		const [next] = index < 0 ? [] : waiting.splice(index, 1)
		if (!next) return
		underWay.add(next.client)
		next.go()
	}
}

/**
 * Runs `work`, which reads one reply. `work` awaits `enter` when the reply turns out to be long. `enter` waits until the client's other long
 * replies are read and there is a place; the rest of the reply is not received during this wait. When `work` ends, the reply that has waited
 * longest, of a client without a place, continues. `enter` rejects when `client` has too many long replies.
 */
export async function runInQueue<Result>(client: string, work: (enter: () => Promise<void>) => Promise<Result>): Promise<Result> {
	let endCount: (() => void) | undefined
	let isIn = false
	try {
		return await work(async () => {
			endCount = countReply(client)
			await new Promise<void>((go) => {
				waiting.push({ client, go })
				letIn()
			})
			isIn = true
		})
	} finally {
		endCount?.()
		if (isIn) underWay.delete(client)
		letIn()
	}
}
