import { createHash, hkdfSync } from 'node:crypto'
import { createCookieFactory } from '@remix-run/server-runtime'
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose'
import { LRUCache } from 'lru-cache'
import { settings } from '~/settings.server'

/** What a sealed value is for. It is part of what is authenticated, so a value made for one purpose opens for no other. */
export type Purpose = 'session' | 'activity' | 'csrf' | 'toast' | 'weblink' | 'esign' | 'pending' | 'unsent' | 'closure' | 'ipo' | 'payin'

type Key = { id: string; bytes: Uint8Array }

function keyOf(secret: string): Key {
	return {
		id: createHash('sha256').update(`key id\0${secret}`).digest('base64url').slice(0, 8),
		bytes: new Uint8Array(hkdfSync('sha256', secret, 'khata', 'sealed cookie', 32)),
	}
}

const keys = new Map(settings.SESSION_SECRET.map(keyOf).map((key) => [key.id, key]))
const newest = keyOf(settings.SESSION_SECRET[0] ?? '')

/** Opening is the same work for the same text; a page asks for three cookies and a visitor sends the same ones for minutes. */
const opened = new LRUCache<string, string>({ max: 5000 })

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
