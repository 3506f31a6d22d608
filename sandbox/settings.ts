import { z } from 'zod/v4'
import { isDay } from '#contract/values/typed-day'
import { toPaise } from '#contract/values/money'

const wholeNumber = (fallback: number, minimum: number, maximum: number) =>
	z.coerce
		.number('must be a whole number')
		.int('must be a whole number')
		.min(minimum, `must be at least ${minimum}`)
		.max(maximum, `must be at most ${maximum}`)
		.default(fallback)

const address = z.url({ protocol: /^https?$/, error: 'must be an absolute http(s) address' })

const isDayOrMoment = (text: string) => {
	const [day = '', time = '00:00', ...rest] = text.split('T')
	return rest.length === 0 && isDay(day) && /^([01]\d|2[0-3]):[0-5]\d$/.test(time)
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

const Environment = z
	.object({
		SANDBOX_PORT: wholeNumber(4000, 0, 65_535),
		HOST: z.string().default('127.0.0.1'),
		/** Only `1` counts: this opens the sandbox, and the portal that started it, to a network. */
		ALLOW_SANDBOX: z.string().optional(),
		DATABASE_URL: z
			.string()
			.regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
			.optional(),
		SANDBOX_DATA_DIR: z.string().default('.data/sandbox'),
		/** The clock's start: a day, or a day and time in India. Unset: the real time. */
		SANDBOX_TODAY: z
			.string()
			.refine(isDayOrMoment, 'must be a day such as 2026-11-20, or a time of one such as 2026-11-20T11:00')
			.optional(),
		SANDBOX_FIXED_OTP: z.stringbool('must be 1 or 0').default(false),
		SANDBOX_BROKER_NAME: z.string().min(1).max(60).default('Khata Sandbox Broking Ltd.'),
		/** The sandbox's address for browsers. Unset: the address it listens on. */
		SANDBOX_URL: address.transform((url) => url.replace(/\/+$/, '')).optional(),
		/** The portal's address for browsers; clients return there after signing or paying. */
		PUBLIC_URL: address.optional(),
		PORT: wholeNumber(3000, 0, 65_535),
		SANDBOX_MAX_BANKS: wholeNumber(5, 1, 50),
		/** Three under the rule of 1 September 2026; ten before it. */
		SANDBOX_MAX_NOMINEES: wholeNumber(3, 1, 10),
		/** The reply of operations that a broker may lack. Unset: the sandbox has them. */
		SANDBOX_ONLY_REQUIRED: z
			.enum(['1', '404', '501', 'html'])
			.transform((style) => (style === '1' ? '404' : style))
			.optional(),
		/** The sanctioned limit of margin funding: rupees, which become paise. */
		SANDBOX_MTF_LIMIT: wholeNumber(500_000, 1, 100_000_000).transform(toPaise),
		LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
	})
	.refine((given) => LOOPBACK.has(given.HOST) || given.ALLOW_SANDBOX === '1', {
		path: ['HOST'],
		error: 'an address beyond this machine needs ALLOW_SANDBOX=1, because everybody knows the passwords of the sandbox and sees its codes',
	})

/** Reads the settings from the environment. Throws one Error that names every wrong variable, never its value. */
export function readSettings(environment: Record<string, string | undefined>) {
	const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))
	const parsed = Environment.safeParse(given)
	if (!parsed.success) {
		const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
		throw new Error(`The sandbox cannot start with these settings:\n${lines.join('\n')}`)
	}
	const { data } = parsed
	return {
		port: data.SANDBOX_PORT,
		host: data.HOST,
		databaseUrl: data.DATABASE_URL,
		dataDirectory: data.SANDBOX_DATA_DIR,
		startsOn: data.SANDBOX_TODAY,
		hasFixedOtp: data.SANDBOX_FIXED_OTP,
		brokerName: data.SANDBOX_BROKER_NAME,
		url: data.SANDBOX_URL,
		portalUrl: new URL(data.PUBLIC_URL ?? `http://127.0.0.1:${data.PORT}`).origin,
		maxBanks: data.SANDBOX_MAX_BANKS,
		maxNominees: data.SANDBOX_MAX_NOMINEES,
		onlyRequired: data.SANDBOX_ONLY_REQUIRED,
		mtfLimit: data.SANDBOX_MTF_LIMIT,
		logLevel: data.LOG_LEVEL,
	}
}

/** The sandbox's settings, checked. Money is in paise. */
export type SandboxSettings = ReturnType<typeof readSettings>
