import { type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { Fragment } from 'react'
import { type Profile as ProfileDetails } from '#contract/profile'
import { unreadIn } from '#contract/tolerant'
import { sayCode } from '#contract/values/code-names'
import { formatDay } from '#contract/values/dates'
import { listChangeRequests } from '~/broker/modifications.server'
import { getPersonalDetails } from '~/broker/profile.server'
import { Banner } from '~/components/banner'
import { Folded } from '~/components/folded'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { Section } from '~/components/section'
import { type SummaryItem, SummaryList } from '~/components/summary-list'
import { readRefresh } from '~/http/hard-refresh.server'
import { loadPage, loadSidePart } from '~/http/partial-data.server'
import { formatSlab } from '~/lib/income-slab'
import { joinName } from '~/lib/join-name'
import { maskEmail, maskMobile, maskPan } from '~/lib/masks'
import { DASH } from '~/lib/unknown'
import { tellUnread } from '~/reports/unread.server'
import { requireBroker } from '~/session/session.server'
import { isUnsigned } from '~/lib/ddpi'
import { listActiveSegments } from './active-segments.server'
import { listNominees } from './nominee-lines.server'
import { NomineeList } from './nominee-list'
import { WaitingChanges } from './waiting-changes'
import { listToSign } from './waiting-changes.server'

export const handle = { title: 'My Account', canRefresh: true }

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const fresh = readRefresh(request)
	const [profile, { data: changes = [] }] = await Promise.all([
		loadPage(broker, getPersonalDetails(broker, fresh)),
		// Without the list of requests the profile shows only what is in force.
		loadSidePart(broker, listChangeRequests(broker, fresh)),
	])
	const { personal_details: own, dp_details: demat, nominees } = profile
	return {
		code: broker.clientCode,
		toSign: listToSign(changes),
		contact: [
			{
				label: 'Mobile',
				value: own.mobile && maskMobile(own.mobile),
				change: { href: '/myaccount/mobile', label: 'mobile' },
			},
			{
				label: 'E-mail',
				value: own.email && maskEmail(own.email),
				change: { href: '/myaccount/email', label: 'e-mail' },
			},
			{ label: 'Address', value: formatAddress(own.address) },
		].map(withDash),
		personal: [
			{ label: 'Name', value: joinName(own) },
			{ label: 'PAN', value: own.pan && maskPan(own.pan) },
			{ label: 'Date of birth', value: formatOptionalDay(own.dob) },
			{
				label: 'Annual income',
				value: own.annual_income && formatSlab(own.annual_income),
				change: { href: '/myaccount/income', label: 'annual income' },
			},
			{
				label: 'Active segments',
				value: '',
				names: listActiveSegments(demat),
				change: { href: '/myaccount/segments', label: 'segments' },
			},
			{ label: 'KYC status', value: own.kyc_status && sayKyc(own.kyc_status) },
			{ label: 'Account status', value: own.account_status && sayCode(own.account_status) },
		].map(withDash),
		more: [
			{ label: 'Gender', value: own.gender },
			{ label: 'Father’s name', value: own.father_name },
			{ label: 'Marital status', value: own.marital_status },
			{ label: 'Occupation', value: own.occupation },
			{ label: 'Opened on', value: formatOptionalDay(own.opened_on) },
		].map(withDash),
		demat: [
			{ label: 'CDSL BO ID', value: demat.cdsl_bo_id },
			{ label: 'NSDL id', value: demat.nsdl_bo_id },
			{ label: 'Depository participant', value: demat.dp_name },
			{
				label: 'DDPI',
				value: demat.ddpi_status && sayCode(demat.ddpi_status),
				note: demat.ddpi_status === 'NOT_SIGNED' ? 'Each sale needs an OTP' : undefined,
				change:
					demat.ddpi_status && isUnsigned(demat.ddpi_status) ? { href: '/dpprocess/ddpi', word: 'Sign', label: 'the DDPI' } : undefined,
			},
		]
			.filter(({ label, value }) => value || !/^(CDSL|NSDL)/.test(label))
			.map(withDash),
		nomineesUnread: tellUnread(unreadIn(nominees)),
		nominees: listNominees(nominees),
	}
}

/** Returns `Validated` from `KYC VALIDATED`, because the label says KYC; a status that is not in capitals stays as the broker writes it. */
const sayKyc = (status: string) => (status === status.toUpperCase() ? sayCode(status.replace(/^KYC[ _]/, '')) : status)

function withDash<Line extends { value: string | null | undefined }>(line: Line) {
	return { ...line, value: line.value || DASH }
}

function formatOptionalDay(day: string | null): string | undefined {
	return day ? formatDay(day) : undefined
}

function formatAddress(address: ProfileDetails['personal_details']['address']): string | undefined {
	if (!address) return undefined
	const { line1, line2, line3, city, state, pincode } = address
	return [line1, line2, line3, city, [state, pincode].filter(Boolean).join(' ')].filter(Boolean).join(', ')
}

export default function Profile() {
	const { code, toSign, contact, personal, more, demat, nominees, nomineesUnread } = useLoaderData<typeof loader>()
	return (
		<>
			<PageTitle title="My Account" part="Profile" isTabName note={`Client code ${code}`} />
			<WaitingChanges changes={toSign} isMain />
			{/* Not a breakpoint of the screen: beside an open menu, half of a small laptop is too narrow for labels beside values. */}
			<div className="@container">
				<div className="grid items-start gap-x-4 *:min-w-0 @4xl:grid-cols-2">
					<div>
						<Part title="Contact" answers={contact} />
						<Part title="Demat account" answers={demat} />
						<Section title="Nominees">
							{nomineesUnread && <Banner kind="warning">{nomineesUnread}</Banner>}
							{nominees.length > 0 ? <NomineeList nominees={nominees} /> : !nomineesUnread && <p>No nominee is named.</p>}
							<p>
								<a href="/myaccount/nominee">{nominees.length > 0 || nomineesUnread ? 'Change nominees' : 'Name a nominee'}</a>
							</p>
						</Section>
					</div>
					<Section title="Personal details">
						<SummaryList items={personal.map(drawNames)} />
						<Folded label="More details">
							<SummaryList items={more} />
						</Folded>
					</Section>
				</div>
			</div>
		</>
	)
}

/** Each name of a list stays on one line. */
function drawNames({ names = [], value, ...item }: SummaryItem & { names?: readonly string[] }): SummaryItem {
	if (names.length === 0) return { ...item, value }
	return {
		...item,
		value: names.map((name, at) => (
			<Fragment key={name}>
				{at > 0 && ' '}
				<span className="whitespace-nowrap">{at < names.length - 1 ? `${name},` : name}</span>
			</Fragment>
		)),
	}
}

function Part({ title, answers }: { title: string; answers: readonly SummaryItem[] }) {
	return (
		<Section title={title}>
			<SummaryList
				items={answers.map(({ note, ...answer }) => ({ ...answer, note: note && <span className="text-muted">{note}</span> }))}
			/>
		</Section>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="My Account" what="Your details" />
}
