import { Micr } from '#contract/modifications'
import { createCodeSchema, createTextSchema } from '~/forms/typed-fields.server'

/** The broker's refusal of a bank without a known MICR code. */
export const INVALID_MICR = 'Invalid MICR code.'

/** A MICR code as typed, with or without spaces and hyphens. */
export const MicrTyped = createCodeSchema('Enter the MICR code')
	.pipe(createTextSchema(Micr, 'MICR code must be 9 numbers'))
	// What registers contain for a bank without a code.
	.refine((code) => code !== '000000000', 'Enter the MICR code that is on your cheque')
