import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { createCookieFactory } from '@remix-run/server-runtime'
import { type CookieOptions, parse, serialize } from 'hono/utils/cookie'
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod/v4'
import { settings } from '~/config/env.server'

/** What a sealed value is for. It is part of what is authenticated, so a value made for one purpose opens for no other. */
export type Purpose =
	'session' | 'activity' | 'csrf' | 'toast' | 'weblink' | 'esign' | 'pending' | 'unsent' | 'closure' | 'ipo' | 'payin' | 'answer'

type Key = { id: string; bytes: Uint8Array; forHashes: Uint8Array }

function deriveKey(secret: string): Key {
	return {
		id: createHash('sha256').update(`key id\0${secret}`).digest('base64url').slice(0, 8),
		bytes: new Uint8Array(hkdfSync('sha256', secret, 'khata', 'sealed cookie', 32)),
		forHashes: new Uint8Array(hkdfSync('sha256', secret, 'khata', 'keyed hash', 32)),
	}
}

const keys = new Map(settings.SESSION_SECRET.map(deriveKey).map((key) => [key.id, key]))
const newest = deriveKey(settings.SESSION_SECRET[0] ?? '')

/** Opening is the same work for the same text; a page asks for three cookies and a visitor sends the same ones for minutes. */
const opened = new LRUCache<string, string>({ maxSize: 16 * 1024 * 1024, sizeCalculation: (text, key) => text.length + key.length })

/** What a keyed hash is for: the same text has another hash for another purpose. */
type HashPurpose = 'audit' | 'once' | 'once-key' | 'login-name'

const hashWith = ({ forHashes }: Key, purpose: HashPurpose, text: string) =>
	createHmac('sha256', forHashes).update(`${purpose}\0${text}`).digest('hex').slice(0, 32)

/**
 * 32 hexadecimal digits of an HMAC-SHA-256 under a key derived from the newest secret. It stands for a client in a log line or a key of
 * Redis: the same for the same client, and nobody without the secret can try client codes until one fits.
 */
export function keyedHash(purpose: HashPurpose, text: string): string {
	return hashWith(newest, purpose, text)
}

/** True when the hash was made from this text by the newest secret or an older one. */
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

/** The text, or undefined when it was tampered with, made for another purpose or sealed by a secret we no longer have. */
export async function unseal(purpose: Purpose, sealed: string): Promise<string | undefined> {
	const known = opened.get(`${purpose} ${sealed}`)
	if (known !== undefined) return known
	try {
		// The last letter of base64 has spare bits: another letter there is another text of the same bytes, and tampering all the same.
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

/** The sealed value in its shape, or undefined: as above, and when a version of the portal before this one wrote it in another. */
export async function unsealAs<Schema extends z.ZodType>(
	schema: Schema,
	purpose: Purpose,
	sealed: string,
): Promise<z.output<Schema> | undefined> {
	const text = sealed && (await unseal(purpose, sealed))
	return text ? schema.safeParse(JSON.parse(text)).data : undefined
}

const Bound = z.object({ client: z.string(), until: z.number(), value: z.unknown() })

/** Seals a value for one client until a moment (milliseconds since 1970): nobody else's session opens it, and nobody's later. */
export async function sealFor(purpose: Purpose, client: string, value: unknown, until: number): Promise<string> {
	return seal(purpose, JSON.stringify({ client, until, value } satisfies z.input<typeof Bound>))
}

/** What was sealed for this client, while it holds. */
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

/** True when the value was sealed by an older secret and should be sealed again by the newest. */
export function isStale(sealed: string): boolean {
	return decodeProtectedHeader(sealed).kid !== newest.id
}

/** Remix's cookies are only signed, and readable by anyone. Its sign/unsign hooks seal and open instead. */
export function createSealedCookie(purpose: Purpose, name: string) {
	return createCookieFactory({
		sign: (value) => seal(purpose, value),
		unsign: async (sealed) => (await unseal(purpose, sealed)) ?? false,
	})(cookieName(name), { ...cookieOptions, secrets: ['sealed'] })
}

/**
 * `__Host-` cookies need TLS: WebKit and text browsers drop a Secure cookie on plain http, so on loopback without TLS the
 * prefix and the flag are left out together. With an https PUBLIC_URL both are always there.
 */
export const cookieOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure: settings.isSecure } as const

export function cookieName(name: string): string {
	return settings.isSecure ? `__Host-${name}` : name
}

/** The Set-Cookie that takes a cookie away. */
export function clearing(name: string, options: CookieOptions = cookieOptions): string {
	return serialize(name, '', { ...options, maxAge: 0, expires: new Date(0) })
}

/** A browser keeps 4,096 bytes a cookie, name and attributes included. */
const PART = 3600

/** Stands for a value that does not open. */
const UNREADABLE = '!'

/** A text of ours in as many cookies as it takes, `most` at the most: `name`, `name.1`, and so on. */
export function cookieInParts(name: string, most: number) {
	const names = Array.from({ length: most }, (_, index) => cookieName(index === 0 ? name : `${name}.${index}`))
	// By its name in the raw header: a value so broken that it does not parse must go as well.
	const isIn = (request: Request | undefined, each: string) => !request || (request.headers.get('cookie') ?? '').includes(`${each}=`)
	return {
		read(request: Request): string {
			const header = request.headers.get('cookie') ?? ''
			// Of two cookies of one name one is not ours, and nobody can tell which: neither opens.
			const sent = header.split(/; */).flatMap((pair) => (pair.includes('=') ? [pair.slice(0, pair.indexOf('='))] : []))
			const isDoubled = names.some((each) => sent.indexOf(each) !== sent.lastIndexOf(each))
			if (isDoubled) return UNREADABLE
			const cookies = parse(header)
			return names.map((each) => cookies[each] ?? '').join('')
		},
		/**
		 * The Set-Cookie headers, appended to those given. What an earlier, longer text has left behind is cleared: if it came with the
		 * request, where that is told. Throws when the text is too long.
		 */
		write(text: string, options: CookieOptions = {}, headers = new Headers(), request?: Request): Headers {
			const parts = text.match(new RegExp(`.{1,${PART}}`, 'g')) ?? []
			if (parts.length > most) throw new Error(`${name} is too long for ${most} cookies`)
			names.forEach((each, index) => {
				const part = parts[index]
				if (part) headers.append('set-cookie', serialize(each, part, { ...cookieOptions, ...options }))
				else if (isIn(request, each)) headers.append('set-cookie', clearing(each))
			})
			return headers
		},
		clear(headers = new Headers(), request?: Request): Headers {
			for (const each of names) if (isIn(request, each)) headers.append('set-cookie', clearing(each))
			return headers
		},
	}
}

/**
 * What a browser keeps for a client between two pages: sealed, for that client alone, and no longer than told. It goes with the browser,
 * or outlives it where a journey leads through another program.
 */
export function createDraft<Schema extends z.ZodType>(
	name: string,
	purpose: Purpose,
	schema: Schema,
	{ most = 1, outlivesBrowser = false } = {},
) {
	const cookie = cookieInParts(`${DRAFT}${name}`, most)
	return {
		/** Undefined when there is none for this client, or none any more. */
		read: (request: Request, client: string) => openFor(schema, purpose, client, cookie.read(request)),
		/** As it stands in the cookie: for a form, which brings it back to `openFor`. */
		readSealed: (request: Request) => cookie.read(request),
		/** The Set-Cookie headers that keep it until a moment (milliseconds since 1970), appended to those given. */
		async keep(client: string, value: z.input<Schema>, until: number, headers?: Headers): Promise<Headers> {
			const maxAge = Math.max(1, Math.ceil((until - Date.now()) / 1000))
			return cookie.write(await sealFor(purpose, client, value, until), outlivesBrowser ? { maxAge } : {}, headers)
		},
		/** The Set-Cookie headers that forget it, appended to those given. */
		forget: (headers?: Headers) => cookie.clear(headers),
	}
}

const DRAFT = 'draft-'

/** The Set-Cookie headers that forget every draft that came with a request, by its name in the raw header, appended to those given. */
export function forgetDrafts(request: Request, headers: Headers): Headers {
	const sent = request.headers.get('cookie') ?? ''
	for (const [, name = ''] of sent.matchAll(new RegExp(`(?:^|;) *(${cookieName(DRAFT)}[\\w.-]+)=`, 'g')))
		headers.append('set-cookie', clearing(name))
	return headers
}
