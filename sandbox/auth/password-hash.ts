import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

const COST = 16_384
const KEY_BYTES = 32

/** Asynchronous, so that other calls run in the meantime. */
function derive(password: string, salt: Buffer): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { N: COST }, (error, key) => (error ? reject(error) : resolve(key)))
	})
}

/**
 * `scrypt$<salt>$<key>`, both base64url. Without a salt a random one is made. The seed passes a fixed salt, so that it gives the same
 * result each time.
 */
export async function hashPassword(password: string, salt: Buffer = randomBytes(16)): Promise<string> {
	const key = await derive(password, salt)
	return `scrypt$${salt.toString('base64url')}$${key.toString('base64url')}`
}

/** True when the hash is of this password. For a missing or unreadable hash it takes as long and returns false; it throws no error. */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
	const [kind, salt, key] = hash?.split('$') ?? []
	const expected = Buffer.from(key ?? '', 'base64url')
	const derived = await derive(password, Buffer.from(salt ?? 'nobody', 'base64url'))
	return kind === 'scrypt' && expected.length === derived.length && timingSafeEqual(expected, derived)
}
