import { BROKERS_STATE } from '#sandbox/clients/clients'
import { createProfile, type StoredProfile } from './profiles'

/** A client of the sandbox. */
export interface Persona {
	code: string
	/** The same password for all clients; the portal's login page shows it while the sandbox is in use. */
	password: string
	name: string
	/** What this client demonstrates. */
	shows: string
	isWoman: boolean
	/** True when the client lives in the broker's state, Maharashtra: CGST and SGST instead of IGST. */
	isIntraState: boolean
	isDormant: boolean
	profile: StoredProfile
}

export const PASSWORD = 'Demo@1234'

type Traits = Pick<Persona, 'code' | 'shows'> & { isDormant?: boolean }

function createPersona({ code, shows, isDormant = false }: Traits): Persona {
	const profile = createProfile(code)
	const { first_name, middle_name, last_name, gender, address } = profile.personal_details
	return {
		code,
		password: PASSWORD,
		name: [first_name, middle_name, last_name].filter(Boolean).join(' '),
		shows,
		isWoman: gender === 'Female',
		isIntraState: address.state === BROKERS_STATE,
		isDormant,
		profile,
	}
}

/** The clients of the sandbox. All are fictional. */
export const personas: readonly Persona[] = [
	createPersona({
		code: 'DEMO01',
		shows: 'everything: five years, equity, F&O and MCX, MTF, pledges, IPO bids, a holding whose cost is not known',
	}),
	createPersona({ code: 'CASH01', shows: 'cash only, no MCX, no nominee' }),
	createPersona({ code: 'DORM01', shows: 'dormant, sent to re-KYC', isDormant: true }),
	createPersona({ code: 'DEBT01', shows: 'debit ledger: withdrawal refused, closure blocked' }),
	createPersona({ code: 'CLOS01', shows: 'ready to close, with holdings to transfer' }),
	createPersona({ code: 'NEW001', shows: 'no data anywhere' }),
	createPersona({ code: 'BULK01', shows: '100,000 ledger rows and 50,000 trades' }),
]
