import { z } from 'zod/v4'
import { isReadable, type Palette } from '~/lib/palette-contrast'
import { writePhoneAddress } from '~/lib/phone-address'
import { isLoopback } from '~/lib/web-address'

const flag = z
	.stringbool({ truthy: ['1', 'true', 'yes', 'on'], falsy: ['0', 'false', 'no', 'off'], error: 'must be 1 or 0' })
	.default(false)

const whole = z.coerce.number('must be a whole number').int('must be a whole number')
const port = whole.min(1, 'must be a port').max(65_535, 'must be a port')
const text = (most: number) => z.string().max(most, `must have at most ${most} characters`)

/** A timer of more than 2^31 - 1 ms fires at once. This maximum leaves room for the seconds that code adds. */
const LONGEST_MS = 2_000_000_000

const milliseconds = (fallback: number, least: number, most = LONGEST_MS) =>
	whole
		.min(least, least === 0 ? 'must not be negative' : 'must be a second or more')
		.max(most, `must be at most ${most} (${Math.floor(most / 86_400_000)} days)`)
		.default(fallback)

/** An absolute http(s) address. Plain http only for loopback: a token must not cross a network unencrypted. */
const address = z
	.url({
		protocol: /^https?$/,
		error: ({ input }) => (input === undefined ? 'is required' : 'must be an absolute http(s) address'),
		abort: true,
	})
	.refine((url) => url.startsWith('https:') || isLoopback(new URL(url).hostname), 'must be https, unless it is on loopback')
	.transform((url) => url.replace(/\/+$/, ''))

/** Paths are added to it. */
const base = address.refine(
	(url) => !/[?#]|\/\/[^/]*@/.test(url),
	'must have no query, no fragment and no user: the portal adds the path of each call',
)
const origin = base.refine((url) => new URL(url).pathname === '/', 'must have no path: the portal needs a host name of its own')

const LISTED = 'must be origins separated by commas or spaces, such as https://esign.example,https://pay.example, without a path'

/** An origin in a list. `new URL` also accepts `;` and `|` inside a host name. */
const listedOrigin = z
	.string()
	.refine((url) => /^https?:\/\/(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?\/?$/i.test(url), { error: LISTED, abort: true })
	.pipe(address)

/** An accent. Links have this colour, so it must be readable on every background of its palette. */
const accent = (palette: Palette, better: string) =>
	z
		.string()
		.regex(/^#[\da-f]{6}$/i, { error: 'must be six hexadecimal digits after #, such as #1a5fb4', abort: true })
		.refine(
			(colour) => isReadable(colour, palette),
			`is hard to read as a link in the ${palette} palette: choose a ${better} colour, with a contrast of 4.5:1 or more on pages, cards, banners and the current menu entry`,
		)
		.optional()

const picture = z.string().regex(/^(https:\/\/|\/(?!\/))[^\s"'<>]+$/, 'must be an https address or a path')

/** For the address of Redis. */
const IN_PASSWORD = 'in its password write %23 for #, %2F for /, %3F for ?, %40 for @'

const SECRET_MINIMUM = 32

const secrets = z
	.string('is required: one or more secrets of 32 characters, separated by commas')
	.transform((list) => list.split(',').map((secret) => secret.trim()))
	.refine((list) => list.every((secret) => secret.length >= SECRET_MINIMUM), `each secret needs ${SECRET_MINIMUM} characters or more`)
	.refine((list) => list.every((secret) => new Set(secret).size >= 8), 'a secret of few different characters is easily guessed')
	.refine(
		(list) => list.every((secret) => !/change-?me|replace-with|example|secret-goes-here/i.test(secret)),
		'is the example value; make your own',
	)

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const

const Environment = z.object({
	NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
	BROKER_URL: base,
	EKYC_URL: base.optional(),
	EDIS_URL: base.optional(),
	IPO_URL: base.optional(),
	PAYMENT_URL: base.optional(),
	/** A module file, loaded at the start: docs/adapters/README.md. */
	BROKER_ADAPTER: z
		.string()
		.regex(/\.m?js$/, 'must be a .js or .mjs file')
		.optional(),
	ESIGN_URL: address.optional(),
	REDIRECT_ORIGINS: z
		.string()
		.default('')
		.transform((list) => list.split(/[\s,]+/).filter(Boolean))
		.pipe(z.array(listedOrigin)),
	SESSION_SECRET: secrets,
	PUBLIC_URL: origin,
	PORT: port.default(3000),
	HOST: z.string().default('0.0.0.0'),
	TRUST_PROXY: flag,
	// A whole reply may take three times as long, which must fit a timer too.
	BROKER_TIMEOUT_MS: milliseconds(30_000, 0, LONGEST_MS / 4),
	IDLE_MS: milliseconds(7_200_000, 1000),
	SESSION_MAX_MS: milliseconds(43_200_000, 1000),
	MAINTENANCE: flag,
	MAINTENANCE_FILE: z.string().optional(),
	/** Processes that server.ts starts on this machine. */
	WEB_CONCURRENCY: whole.min(1, 'must be at least 1').max(256, 'must be at most 256').default(1),
	REDIS_URL: z
		.url({ protocol: /^rediss?$/, error: `must be a redis:// address; ${IN_PASSWORD}`, abort: true })
		// What follows an unwritten # or / would be taken for the host, which is logged, or for the number of a database.
		.refine(
			(url) => !/[?#]/.test(url) && /^\/?\d*$/.test(new URL(url).pathname),
			`must end with the host, or with the number of a database, such as /1; ${IN_PASSWORD}`,
		)
		.optional(),
	BRAND_NAME: text(40).default('Khata'),
	BRAND_LOGO: picture.optional(),
	/** In its place on the dark palette. */
	BRAND_LOGO_DARK: picture.optional(),
	/** They replace the accent of the light and of the dark palette. */
	BRAND_COLOUR: accent('light', 'darker'),
	BRAND_COLOUR_DARK: accent('dark', 'lighter'),
	SUPPORT_EMAIL: z.email('must be an e-mail address').optional(),
	SUPPORT_PHONE: z
		.string()
		.default('')
		.transform((list) =>
			list
				.split(',')
				.map((number) => number.trim())
				.filter(Boolean),
		)
		.pipe(
			z.array(
				text(30).refine(
					writePhoneAddress,
					'must be numbers that a telephone can dial, separated by commas: no "/" and no words, and an extension as in 022 4000 1234 ext. 12',
				),
			),
		),
	SUPPORT_URL: z.url({ protocol: /^https$/, error: 'must be an https address' }).optional(),
	SUPPORT_COMPLAINTS_URL: z.url({ protocol: /^https$/, error: 'must be an https address' }).default('https://scores.sebi.gov.in/'),
	/** The regulator requires these on every page: the SEBI registration, the member codes at the exchanges, and who answers complaints. */
	SEBI_REGISTRATION: text(200).optional(),
	MEMBER_CODES: text(200).optional(),
	GRIEVANCE_OFFICER: text(200).optional(),
	/** The rule for new passwords, in words for the client. Only the broker checks it. */
	PASSWORD_RULE: text(200).optional(),
	REKYC_URL: address.optional(),
	LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
	/** The address that traces are sent to. The SDK reads the other OTEL_ variables itself. */
	OTEL_EXPORTER_OTLP_ENDPOINT: address.optional(),
	OTEL_SERVICE_NAME: text(60).default('khata-portal'),
	/** The port of the metrics for Prometheus. They name no client but are not public, so METRICS_HOST is loopback by default. */
	METRICS_PORT: port.optional(),
	METRICS_HOST: z.string().default('127.0.0.1'),
	/** Lines for the login page, such as the sandbox's personas. Set by server.ts; no other part of the portal knows about the sandbox. */
	LOGIN_HINT: z.string().optional(),
})

export const SETTING_NAMES = Environment.keyof().options

/** Settings that must fit together. They are also checked when one of them is wrong. */
const Fitting = Environment.refine(({ BRAND_LOGO, BRAND_LOGO_DARK }) => BRAND_LOGO !== undefined || BRAND_LOGO_DARK === undefined, {
	path: ['BRAND_LOGO'],
	error: 'is required when BRAND_LOGO_DARK is set: the light palette needs a logo too',
})
	.refine(({ WEB_CONCURRENCY, REDIS_URL }) => WEB_CONCURRENCY <= 1 || REDIS_URL !== undefined, {
		path: ['REDIS_URL'],
		error: 'is required when WEB_CONCURRENCY is more than 1: the processes share limits, ended sessions and posts in progress there',
	})
	.refine(
		// Each process has its own port for metrics.
		({ WEB_CONCURRENCY, METRICS_PORT: first = Infinity, PORT }) => {
			const last = first + WEB_CONCURRENCY - 1
			return first === Infinity || (last <= 65_535 && (PORT < first || PORT > last))
		},
		{ path: ['METRICS_PORT'], error: 'needs a free port for each of the WEB_CONCURRENCY processes, counted up from it, without PORT' },
	)

export type Settings = z.output<typeof Environment> & { isSecure: boolean }

/**
 * The settings, checked once. Throws one Error with a line for every wrong variable. It names variables and never shows a value, since a
 * value may be a secret.
 */
export function parseSettings(environment: Record<string, string | undefined>): Settings {
	const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))
	const parsed = Fitting.safeParse(given)
	if (!parsed.success) {
		const lines = parsed.error.issues.map((issue) => `  ${issue.path[0]?.toString() ?? 'environment'}: ${issue.message}`)
		throw new Error(`The portal cannot start with these settings:\n${[...new Set(lines)].join('\n')}`)
	}
	return { ...parsed.data, isSecure: parsed.data.PUBLIC_URL.startsWith('https:') }
}
