/** The specification's message for an empty field; the server and the browser show the same. */
export const REQUIRED = {
	old_password: 'Current Password is required',
	new_password: 'New Password is required',
	confirm_password: 'Confirm Password is required',
} as const

/** Shown beside the second field when the two are unequal; the sentence is the specification's. */
export const UNEQUAL = { message: 'New password and confirm password must be different', path: ['confirm_password'] }

/** The help of `Confirm password`. It says what the message above means, which reads as if the two must differ. */
export const CONFIRM_HELP = 'Type the new password again.'

/** Maximum length in the contract. The specification has no length rule; the broker decides what it accepts. */
export const LONGEST = 128
export const TOO_LONG = `Passwords have at most ${LONGEST} characters`
