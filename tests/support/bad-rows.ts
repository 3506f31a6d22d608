/* The broker's lists, each with the page that shows it, for the tests of bad rows. */

export type BadRow = Record<string, unknown>
export type BadRowCase = {
	name: string
	page: string
	/** The broker's call, and the path of its rows in `data`. */
	path: string
	rows?: string
	/** When the field is unreadable: `isStrict` leaves the row out, otherwise the cell is a dash. */
	figure: string
	isStrict?: boolean
	text?: string
	word?: string
	/** True when the word decides whether the row is in a sum: the sum is then incomplete while the word is not known. */
	isSummedByWord?: boolean
	/** The required field: a row without it is left out. */
	id: string
	/** Rows for a list that is empty in the test's books. */
	sample?: BadRow
	/** True when the rows are one page's table and can be counted. */
	isPaged?: boolean
}

const MANDATE = {
	reference: 'EM-AAAAAA1',
	asked_on: '2026-11-02',
	amount: 5000,
	bank_name: 'Test Bank',
	bank_acno: 'XXXX1234',
	channel: 'netbanking',
	frequency: 'As presented',
	starts_on: '2026-11-02',
	ends_on: '2036-11-02',
	status: 'ACTIVE',
	umrn: null,
	remarks: 'Fine',
}
const UNREGISTERED = {
	date: '2026-11-02',
	amount: 700,
	utr: 'UTR0001',
	from_account: 'XXXX99',
	from_name: 'Somebody',
	status: 'ON_HOLD',
	remarks: 'Held',
}
const CHANGE = {
	reference: 'CH-1234',
	kind: 'EMAIL',
	title: 'Email',
	by: 'Demo',
	was: 'a**@x.in',
	becomes: 'b**@x.in',
	authorised_by: 'OTP',
	status: 'DONE',
	asked_at: '2026-11-02T10:00:00.000Z',
	done_at: '2026-11-02T10:00:00.000Z',
	expires_at: null,
}
const LEDGER = '/v2/service/reports/ledger'

export const CASES: BadRowCase[] = [
	{
		name: 'ledger',
		page: '/reports/ledger?refresh=1',
		path: LEDGER,
		rows: 'filtered_df',
		// A side may be blank, a balance not.
		figure: 'BALANCE',
		text: 'NARRATION',
		word: 'VOUCHER_TYPE',
		id: 'VOUCHER_NO',
		isPaged: true,
	},
	{
		name: 'holding',
		page: '/reports/holding?refresh=1',
		path: '/v2/service/reports/holding',
		figure: 'VALUE',
		text: 'SCRIP_NAME',
		id: 'ISIN',
	},
	{
		name: 'position',
		page: '/reports/position?refresh=1',
		path: '/v2/service/reports/position',
		rows: 'filtered_df',
		figure: 'MTM',
		text: 'SCRIP_NAME',
		word: 'COCD',
		id: 'SCRIP_NAME',
	},
	{
		name: 'global summary',
		page: '/reports/global-summary?refresh=1',
		path: '/v2/service/reports/global-summary',
		rows: 'filtered_df',
		figure: 'REALISED',
		text: 'SCRIP_NAME',
		id: 'SCRIP_NAME',
	},
	{
		name: 'global details',
		page: '/reports/global-details?refresh=1',
		path: '/v2/service/reports/global-details',
		figure: 'NET_AMT',
		text: 'SCRIP_NAME',
		word: 'SIDE',
		id: 'DATE',
		isPaged: true,
	},
	{
		name: 'contract bills',
		page: '/reports/contractnbill',
		path: '/v1/reports/contractbills',
		figure: 'BILL_AMT',
		text: 'SETL_NO',
		word: 'DOC_TYPE',
		id: 'BILL_NO',
		isPaged: true,
	},
	{
		name: 'profit and loss',
		page: '/reports/profitnloss?refresh=1&segment=NSE_CASH',
		path: '/v1/user/report/pnl',
		rows: 'filtered_df',
		figure: 'REALISED',
		text: 'SCRIP_NAME',
		id: 'SCRIP_NAME',
	},
	{
		name: 'segments of the profit and loss',
		page: '/reports/profitnloss?refresh=1',
		path: '/v1/reports/pnl-segment',
		figure: 'NET',
		id: 'SEGMENT',
	},
	{
		name: 'income tax',
		page: '/reports/income-tax?refresh=1',
		path: '/v1/user/report/incometax',
		rows: 'rows',
		figure: 'GAIN',
		text: 'SCRIP_NAME',
		word: 'TERM',
		id: 'SELL_DATE',
		isPaged: true,
	},
	{
		name: 'pay-ins',
		page: '/funds/history',
		path: '/v1/account_profile/list_of_funds_payout_payin',
		figure: 'amount',
		text: 'remarks',
		word: 'status',
		isSummedByWord: true,
		id: 'request_id',
		isPaged: true,
	},
	{
		name: 'mandates',
		page: '/funds/e-mandate',
		path: '/v1/ours/mandates',
		figure: 'amount',
		text: 'remarks',
		word: 'status',
		id: 'reference',
		sample: MANDATE,
	},
	{
		name: 'unregistered payments',
		page: '/funds',
		path: '/v2/fund/unauthorized-payments',
		figure: 'amount',
		text: 'remarks',
		word: 'status',
		id: 'utr',
		sample: UNREGISTERED,
	},
	{
		name: 'requests',
		page: '/myaccount/requests',
		path: '/v1/ours/change-requests',
		figure: 'asked_at',
		text: 'becomes',
		word: 'status',
		id: 'title',
		sample: CHANGE,
	},
	{
		name: 'bank accounts',
		page: '/myaccount/bank',
		path: '/v2/account-profile/bank-details',
		figure: 'set_default',
		text: 'bank_name',
		id: 'bank_acno',
	},
	{
		name: 'stock verification',
		page: '/dpprocess',
		path: '/edis/edis/v1/edis-holding-data',
		figure: 'free_qty',
		isStrict: true,
		text: 'stock_name',
		id: 'isin',
	},
	{
		name: 'margin pledge',
		page: '/dpprocess/pledge',
		path: '/v1/margin_epledge_data',
		rows: 'filtered_df',
		figure: 'MARGIN',
		isStrict: true,
		text: 'SCRIP_NAME',
		id: 'ISIN',
	},
	{
		name: 'IPO issues',
		page: '/connect/ipo',
		path: '/ipo/v1/get-ipo-details',
		figure: 'max_price',
		isStrict: true,
		text: 'name',
		id: 'symbol',
	},
	{
		name: 'IPO bids',
		page: '/connect/ipo/bids',
		path: '/ipo/v1/get-client-wise-bid-report',
		figure: 'amount',
		text: 'name',
		word: 'status',
		id: 'application_no',
	},
	{
		name: 'MTF positions',
		page: '/connect/mtf?refresh=1',
		path: '/v2/account-profile/mtf-details',
		rows: 'positions',
		figure: 'INTEREST',
		text: 'SCRIP_NAME',
		id: 'ISIN',
	},
]
