import { z } from 'zod/v4'
import { ClientCode } from './common'

/*
 * Only what the shell and the screens so far read. The broker sends far more; what is not named here is dropped at the
 * border, so that it cannot end up in a page by accident.
 */
export const Profile = z.object({
	personal_details: z.object({
		client_code: ClientCode,
		first_name: z.string().max(40),
		last_name: z.string().max(40),
	}),
	dp_details: z.object({
		/** Comma-separated company codes, such as NSE_CASH,NSE_FNO,MCX. */
		company_code: z.string().max(120),
		/** Comma-separated segment names. */
		activate_segment: z.string().max(200),
	}),
})
export type Profile = z.infer<typeof Profile>
