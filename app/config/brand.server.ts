import { settings } from './env.server'

/** What a broker configures without touching the code. */
export function readBrand() {
	const { BRAND_NAME, BRAND_LOGO, SUPPORT_EMAIL, SUPPORT_PHONE, SUPPORT_URL, SUPPORT_COMPLAINTS_URL } = settings
	return {
		name: BRAND_NAME,
		logo: BRAND_LOGO,
		support: [
			...(SUPPORT_URL ? [{ label: 'Help', href: SUPPORT_URL }] : []),
			...(SUPPORT_EMAIL ? [{ label: SUPPORT_EMAIL, href: `mailto:${SUPPORT_EMAIL}` }] : []),
			...(SUPPORT_PHONE ? [{ label: SUPPORT_PHONE, href: `tel:${SUPPORT_PHONE.replace(/[^+\d]/g, '')}` }] : []),
			{ label: 'Raise a complaint (SCORES)', href: SUPPORT_COMPLAINTS_URL },
		],
	}
}
