import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'

const KEY_BYTES = 32

/** `scrypt$<salt>$<key>`, both base64url. Without a salt a random one is made; the seed gives its own so that it stays deterministic. */
export function hashPassword(password: string, salt: Buffer = randomBytes(16)): string {
	const key = scryptSync(password.normalize('NFKC'), salt, KEY_BYTES)
	return `scrypt$${salt.toString('base64url')}$${key.toString('base64url')}`
}

/** True when the password made the stored text. False, never an error, for a stored text of another shape. */
export function verifyPassword(password: string, stored: string): boolean {
	const [scheme, salt, key] = stored.split('$')
	if (scheme !== 'scrypt' || !salt || !key) return false
	const expected = Buffer.from(key, 'base64url')
	const given = scryptSync(password.normalize('NFKC'), Buffer.from(salt, 'base64url'), KEY_BYTES)
	return expected.length === given.length && timingSafeEqual(expected, given)
}
