import { writePhoneAddress } from '~/lib/phone-address'
import { settings } from './env.server'

/** The brand and support details that a broker configures by settings, without a change of code. */
export function readBrand() {
	const {
		BRAND_NAME,
		BRAND_LOGO,
		BRAND_LOGO_DARK,
		SUPPORT_EMAIL,
		SUPPORT_PHONE,
		SUPPORT_URL,
		SUPPORT_COMPLAINTS_URL,
		SEBI_REGISTRATION,
		MEMBER_CODES,
		GRIEVANCE_OFFICER,
		PASSWORD_RULE,
	} = settings
	return {
		name: BRAND_NAME,
		logo: BRAND_LOGO,
		logoDark: BRAND_LOGO_DARK,
		passwordRule: PASSWORD_RULE,
		legal: [
			...(SEBI_REGISTRATION ? [`SEBI registration ${SEBI_REGISTRATION}`] : []),
			...(MEMBER_CODES ? [`Member codes ${MEMBER_CODES}`] : []),
			...(GRIEVANCE_OFFICER ? [`Grievance officer ${GRIEVANCE_OFFICER}`] : []),
		],
		support: [
			...(SUPPORT_URL ? [{ label: 'Help', href: SUPPORT_URL }] : []),
			...(SUPPORT_EMAIL ? [{ label: SUPPORT_EMAIL, href: `mailto:${SUPPORT_EMAIL}` }] : []),
			...SUPPORT_PHONE.map((number) => ({ label: number, href: writePhoneAddress(number) ?? '' })),
		],
		complaints: {
			label: /^scores\.(sebi\.)?gov\.in$/.test(new URL(SUPPORT_COMPLAINTS_URL).hostname)
				? 'Raise a complaint (SCORES)'
				: 'Raise a complaint',
			href: SUPPORT_COMPLAINTS_URL,
		},
	}
}
