import { z } from 'zod/v4'
import { toPaise } from '#contract/values/money'
import { LONGEST, REQUIRED, TOO_LONG } from '~/lib/password-words'
import { joinGroups } from '~/lib/typed-code'

/* Schemas of fields as a client types them. */

/** The name typed at login: a code, or the e-mail at some brokers. Blanks around it and its case do not matter. */
export const UsernameTyped = z
	.string('Enter your client code')
	.trim()
	.max(60, 'Enter your client code')
	.regex(/^[A-Za-z0-9@._-]{3,}$/, 'Enter a client code in the correct format, like AB1234')
	.transform((code) => code.toUpperCase())

/** A number or code, with or without groups. `missing`: the message without it. */
export const createCodeSchema = (missing: string) => z.string(missing).transform(joinGroups)

/** Six digits; blanks and hyphens between them are ignored. */
export const OtpTyped = createCodeSchema('Enter the OTP').pipe(
	z
		// conform makes an emptied text undefined.
		.string('Enter the OTP')
		.regex(/^[0-9]*$/, { error: 'The OTP must be 6 numbers', abort: true })
		.min(6, 'You’ve not entered enough numbers, the OTP must be 6 numbers')
		.max(6, 'You’ve entered too many numbers, the OTP must be 6 numbers'),
)

/** The two fields of a new password. */
export const NEW_PASSWORD = {
	new_password: z.string(REQUIRED.new_password).max(LONGEST, TOO_LONG),
	confirm_password: z.string(REQUIRED.confirm_password).max(LONGEST, TOO_LONG),
}
export const isTypedTwice = (typed: { new_password: string; confirm_password: string }) => typed.new_password === typed.confirm_password

/** Text that the contract's schema accepts, else an error in words for the client. */
export function createTextSchema(Schema: z.ZodType, message: string) {
	return z.string(message).refine((text) => Schema.safeParse(text).success, message)
}

/** Rupees as typed, with or without ₹ and commas, as paise. Other scripts' digits, signs and exponents are refused. */
export const AmountTyped = z
	.string('Enter an amount')
	.transform((typed) => typed.replace(/[₹,\s]/g, ''))
	.pipe(
		z
			.string('Enter an amount')
			// `abort` stops the checks after the first failure: one message is enough.
			.regex(/^-?[0-9]{1,9}(\.[0-9]*)?$/, { error: 'Enter an amount in rupees, like 25,000.50', abort: true })
			.refine((typed) => (typed.split('.')[1] ?? '').length <= 2, { error: 'Amount must have no more than 2 decimals', abort: true })
			.transform((typed) => toPaise(Number(typed)))
			.refine((paise) => paise > 0, { error: 'Amount must be more than zero', abort: true }),
	)
