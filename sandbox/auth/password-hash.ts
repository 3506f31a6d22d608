import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

/** scrypt's N: 16 MB of memory and about 25 ms for each password. */
const COST = 16_384
const KEY_BYTES = 32

export type HashOptions = {
	/** By default random. The seed passes a fixed salt, so that it gives the same result each time. */
	salt?: Buffer
	/** A power of two. By default 16,384; books for tests use less, because their tests log in thousands of times. */
	cost?: number
}

/** Asynchronous, so that other calls run in the meantime. */
function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
	return new Promise((resolve, reject) => {
		scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { N: cost }, (error, key) => (error ? reject(error) : resolve(key)))
	})
}

/** Returns `scrypt$<cost>$<salt>$<key>`, salt and key in base64url. */
export async function hashPassword(password: string, { salt = randomBytes(16), cost = COST }: HashOptions = {}): Promise<string> {
	const key = await derive(password, salt, cost)
	return `scrypt$${cost}$${salt.toString('base64url')}$${key.toString('base64url')}`
}

/** True when the hash is of this password. For a missing or unreadable hash it returns false after the time of a normal one. */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
	const [, cost, salt = '', key = ''] = /^scrypt\$(\d{1,7})\$([\w-]+)\$([\w-]+)$/.exec(hash ?? '') ?? []
	const expected = Buffer.from(key, 'base64url')
	const derived = await derive(password, Buffer.from(salt, 'base64url'), cost ? Number(cost) : COST)
	return expected.length === derived.length && timingSafeEqual(expected, derived)
}
