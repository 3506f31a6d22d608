import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

const COST = 16_384
const KEY_BYTES = 32

/** Asynchronous, so that other calls are handled meanwhile. */
function derive(password: string, salt: Buffer): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { N: COST }, (error, key) => (error ? reject(error) : resolve(key)))
	})
}

/** `scrypt$<salt>$<key>`, both base64url. Without a salt a random one is made; the seed gives its own to be deterministic. */
export async function hashPassword(password: string, salt: Buffer = randomBytes(16)): Promise<string> {
	const key = await derive(password, salt)
	return `scrypt$${salt.toString('base64url')}$${key.toString('base64url')}`
}

/** True when the password made this hash. Takes as long for a missing or unreadable hash, and then returns false, never an error. */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
	const [kind, salt, key] = hash?.split('$') ?? []
	const expected = Buffer.from(key ?? '', 'base64url')
	const derived = await derive(password, Buffer.from(salt ?? 'nobody', 'base64url'))
	return kind === 'scrypt' && expected.length === derived.length && timingSafeEqual(expected, derived)
}
