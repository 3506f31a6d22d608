import { eq } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { Refused } from '#sandbox/api/responses'
import { type Client, findClientByUsername } from '#sandbox/clients/clients'
import { requireLiving } from '#sandbox/closure/requests'
import { type Books } from '#sandbox/db/open'
import { clients } from '#sandbox/db/schema'
import { type SandboxParts } from '#sandbox/types'
import { isPassword } from './password-hash'

const ATTEMPTS = 5
/** How long so many wrong passwords lock a client code. */
const LOCK_MS = 30 * 60_000

type Tally = { failed: number; lockedUntil: Date | null }

/**
 * Checks passwords and counts the wrong ones. An unknown name is counted and locked like a known one, and its password is compared with
 * the hash of some client, so that the message and the time do not reveal which names exist.
 */
export function createLoginService({ books, clock }: SandboxParts) {
	/** The hash of some client, read once: hashes of other costs would take another time. */
	let someHash: Promise<string | undefined> | undefined
	const nobodies = new LRUCache<string, Tally>({ max: 10_000 })
	/**
	 * Handles the attempts on one account one after the other. Otherwise several at once would all be tried before the first is counted.
	 */
	const queues = new Map<string, Promise<unknown>>()

	async function record(username: string, client: Client | undefined, tally: Tally): Promise<void> {
		if (client === undefined) nobodies.set(username, tally)
		else {
			const counted = { failed_logins: tally.failed, locked_until: tally.lockedUntil }
			await books.db.update(clients).set(counted).where(eq(clients.code, client.code))
		}
	}

	async function attempt(username: string, password: string): Promise<Client> {
		const now = clock.now()
		const client = await findClientByUsername(books, username)
		const hash = client ? client.passwordHash : await (someHash ??= findSomeHash(books))
		const isRight = await isPassword(password, hash)
		const stored = client ? { failed: client.failedLogins, lockedUntil: client.lockedUntil } : nobodies.get(username)
		const until = stored?.lockedUntil ?? null
		const isOver = until !== null && until <= now
		const tally = stored === undefined || isOver ? { failed: 0, lockedUntil: null } : stored
		if (tally.lockedUntil !== null) throw locked(tally.lockedUntil, now)
		if (client !== undefined && isRight) {
			if (client.failedLogins > 0) await record(username, client, { failed: 0, lockedUntil: null })
			await requireLiving(books, client.code, now)
			return client
		}
		const failed = tally.failed + 1
		const lockedUntil = failed >= ATTEMPTS ? new Date(now.getTime() + LOCK_MS) : null
		await record(username, client, { failed, lockedUntil })
		if (lockedUntil !== null) throw locked(lockedUntil, now)
		throw new Refused(401, 'Invalid username or password', { attempts_left: ATTEMPTS - failed })
	}

	function locked(until: Date, now: Date): Refused {
		const minutes = LOCK_MS / 60_000
		const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
		return new Refused(423, `Account locked. Try again after ${minutes} minutes or reset the password`, { retry_after: seconds })
	}

	return {
		/** The client with this name and password. Throws 401 or 423, and 403 when the account is closed. */
		async admit(typedUsername: string, password: string): Promise<Client> {
			const username = typedUsername.trim().toLowerCase()
			// A client has two names, the code and the e-mail.
			const account = (await findClientByUsername(books, username))?.code ?? username
			const ahead = queues.get(account) ?? Promise.resolve()
			const turn = ahead.catch(() => undefined).then(() => attempt(username, password))
			queues.set(account, turn)
			try {
				return await turn
			} finally {
				if (queues.get(account) === turn) queues.delete(account)
			}
		},
	}
}

async function findSomeHash({ db }: Books): Promise<string | undefined> {
	const [row] = await db.select({ hash: clients.password_hash }).from(clients).limit(1)
	return row?.hash
}
