import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { createCookieFactory } from '@remix-run/server-runtime'
import { type CookieOptions, parse, serialize } from 'hono/utils/cookie'
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod/v4'
import { settings } from '~/config/env.server'

/** Purpose of a sealed value. It is authenticated with the value, so a value made for one purpose does not open for another. */
export type Purpose =
	| 'session'
	| 'activity'
	| 'csrf'
	| 'toast'
	| 'weblink'
	| 'esign'
	| 'pending'
	| 'unsent'
	| 'closure'
	| 'ipo'
	| 'payin'
	| 'answer'
	| 'receipt'

type Key = { id: string; bytes: Uint8Array; forHashes: Uint8Array }

function createKey(secret: string): Key {
	return {
		id: createHash('sha256').update(`key id\0${secret}`).digest('base64url').slice(0, 8),
		bytes: new Uint8Array(hkdfSync('sha256', secret, 'khata', 'sealed cookie', 32)),
		forHashes: new Uint8Array(hkdfSync('sha256', secret, 'khata', 'keyed hash', 32)),
	}
}

const keys = new Map(settings.SESSION_SECRET.map(createKey).map((key) => [key.id, key]))
const newest = createKey(settings.SESSION_SECRET[0] ?? '')

/** Opening the same text gives the same result. A page reads three cookies, and a visitor sends the same ones for minutes. */
const opened = new LRUCache<string, string>({ maxSize: 16 * 1024 * 1024, sizeCalculation: (text, key) => text.length + key.length })

/** Purpose of a keyed hash: the same text has a different hash for each purpose. */
type HashPurpose = 'audit' | 'once' | 'once-key' | 'login-name'

const hashWith = ({ forHashes }: Key, purpose: HashPurpose, text: string) =>
	createHmac('sha256', forHashes).update(`${purpose}\0${text}`).digest('hex').slice(0, 32)

/**
 * 32 hexadecimal digits of an HMAC-SHA-256 under a key derived from the newest secret. It stands for a client in a log line or a Redis key:
 * always the same for one client, and without the secret nobody can find the client code by trying.
 */
export function keyedHash(purpose: HashPurpose, text: string): string {
	return hashWith(newest, purpose, text)
}

/** True when the newest secret or an older one made the hash from this text. */
export function isKeyedHash(purpose: HashPurpose, text: string, hash: string): boolean {
	const given = Buffer.from(hash)
	return [...keys.values()].some((key) => {
		const expected = Buffer.from(hashWith(key, purpose, text))
		return given.length === expected.length && timingSafeEqual(given, expected)
	})
}

export async function seal(purpose: Purpose, text: string): Promise<string> {
	return new CompactEncrypt(new TextEncoder().encode(text))
		.setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: newest.id, cty: purpose })
		.encrypt(newest.bytes)
}

/** The text, or undefined when it was altered, made for another purpose, or sealed by a secret that we no longer have. */
export async function unseal(purpose: Purpose, sealed: string): Promise<string | undefined> {
	const known = opened.get(`${purpose} ${sealed}`)
	if (known !== undefined) return known
	try {
		// The last letter of base64 has spare bits: another letter there gives the same bytes but is still tampering.
		const tag = sealed.slice(sealed.lastIndexOf('.') + 1)
		if (Buffer.from(tag, 'base64url').toString('base64url') !== tag) return undefined
		const { plaintext, protectedHeader } = await compactDecrypt(
			sealed,
			(header) => {
				const key = keys.get(header.kid ?? '')
				if (!key) throw new Error('unknown key')
				return key.bytes
			},
			{ keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
		)
		if (protectedHeader.cty !== purpose) return undefined
		const text = new TextDecoder().decode(plaintext)
		opened.set(`${purpose} ${sealed}`, text)
		return text
	} catch {
		return undefined
	}
}

/**
 * The sealed value after a schema check; undefined in the cases of `unseal`, and when an earlier version of the portal wrote another
 * format.
 */
export async function unsealAs<Schema extends z.ZodType>(
	schema: Schema,
	purpose: Purpose,
	sealed: string,
): Promise<z.output<Schema> | undefined> {
	const text = sealed && (await unseal(purpose, sealed))
	return text ? schema.safeParse(JSON.parse(text)).data : undefined
}

const Bound = z.object({ client: z.string(), until: z.number(), value: z.unknown() })

/** Seals a value for one client until a moment (milliseconds since 1970). It does not open for another client or after that moment. */
export async function sealFor(purpose: Purpose, client: string, value: unknown, until: number): Promise<string> {
	return seal(purpose, JSON.stringify({ client, until, value } satisfies z.input<typeof Bound>))
}

/** The value sealed for this client, while it is valid. */
export async function openFor<Schema extends z.ZodType>(
	schema: Schema,
	purpose: Purpose,
	client: string,
	sealed: string,
): Promise<z.output<Schema> | undefined> {
	const bound = await unsealAs(Bound, purpose, sealed)
	if (bound?.client !== client || bound.until <= Date.now()) return undefined
	return schema.safeParse(bound.value).data
}

/** True when an older secret sealed the value and the newest should seal it again. */
export function isStale(sealed: string): boolean {
	return decodeProtectedHeader(sealed).kid !== newest.id
}

/** A cookie that holds its text unsealed. `write` and `clear` return the Set-Cookie. */
export function createPlainCookie(name: string, options: CookieOptions = {}) {
	const own = cookieName(name)
	return {
		read: (request: Request): string | undefined => parse(request.headers.get('cookie') ?? '', own)[own],
		write: (value: string): string => serialize(own, value, { ...cookieOptions, ...options }),
		/** Searches the raw header: a value that does not parse must be cleared too. */
		isIn: (request: Request) => (request.headers.get('cookie') ?? '').includes(`${own}=`),
		clear: () => clearCookie(own),
	}
}

/** Remix only signs cookies, so anyone can read them. Its sign and unsign hooks seal and open instead. */
export function createSealedCookie(purpose: Purpose, name: string) {
	return createCookieFactory({
		sign: (value) => seal(purpose, value),
		unsign: async (sealed) => (await unseal(purpose, sealed)) ?? false,
	})(cookieName(name), { ...cookieOptions, secrets: ['sealed'] })
}

/**
 * `__Host-` cookies need TLS: WebKit and text browsers drop a Secure cookie on plain http, so on loopback without TLS both the prefix and
 * the flag are left out. With an https PUBLIC_URL both are always there.
 */
export const cookieOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure: settings.isSecure } as const

export function cookieName(name: string): string {
	return settings.isSecure ? `__Host-${name}` : name
}

/** The Set-Cookie that deletes a cookie. */
export function clearCookie(name: string, options: CookieOptions = cookieOptions): string {
	return serialize(name, '', { ...options, maxAge: 0, expires: new Date(0) })
}

/** A browser keeps 4,096 bytes per cookie, name and attributes included. */
const PART = 3600

/** Stands for a value that does not open. */
const UNREADABLE = '!'

/** A text of ours in as many cookies as it needs, at most `most`: `name`, `name.1`, and so on. */
export function createSplitCookie(name: string, most: number) {
	const names = Array.from({ length: most }, (_, index) => cookieName(index === 0 ? name : `${name}.${index}`))
	// Searches the raw header by name: a value that does not parse must be cleared too.
	const isIn = (request: Request | undefined, each: string) => !request || (request.headers.get('cookie') ?? '').includes(`${each}=`)
	return {
		read(request: Request): string {
			const header = request.headers.get('cookie') ?? ''
			// Of two cookies with one name, one is not ours and we cannot tell which: use neither.
			const sent = header.split(/; */).flatMap((pair) => (pair.includes('=') ? [pair.slice(0, pair.indexOf('='))] : []))
			const isDoubled = names.some((each) => sent.indexOf(each) !== sent.lastIndexOf(each))
			if (isDoubled) return UNREADABLE
			const cookies = parse(header)
			return names.map((each) => cookies[each] ?? '').join('')
		},
		/**
		 * The Set-Cookie headers, appended to those given. Clears the extra cookies of an earlier, longer text if the request had them.
		 * Throws when the text is too long.
		 */
		write(text: string, options: CookieOptions = {}, headers = new Headers(), request?: Request): Headers {
			const parts = text.match(new RegExp(`.{1,${PART}}`, 'g')) ?? []
			if (parts.length > most) throw new Error(`${name} is too long for ${most} cookies`)
			names.forEach((each, index) => {
				const part = parts[index]
				if (part) headers.append('set-cookie', serialize(each, part, { ...cookieOptions, ...options }))
				else if (isIn(request, each)) headers.append('set-cookie', clearCookie(each))
			})
			return headers
		},
		clear(headers = new Headers(), request?: Request): Headers {
			for (const each of names) if (isIn(request, each)) headers.append('set-cookie', clearCookie(each))
			return headers
		},
	}
}
