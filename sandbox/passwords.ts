import { scrypt, timingSafeEqual } from 'node:crypto'

const COST = 16_384
const KEY_BYTES = 32

function derive(password: string, salt: Buffer): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { N: COST }, (error, key) => (error ? reject(error) : resolve(key)))
	})
}

/**
 * True when the password made this hash (rules/password.ts). Takes as long for a hash that is missing or unreadable, and answers
 * false. It leaves the event loop free: other calls are answered meanwhile.
 */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
	const [kind, salt, key] = hash?.split('$') ?? []
	const expected = Buffer.from(key ?? '', 'base64url')
	const derived = await derive(password, Buffer.from(salt ?? 'nobody', 'base64url'))
	return kind === 'scrypt' && expected.length === derived.length && timingSafeEqual(expected, derived)
}
