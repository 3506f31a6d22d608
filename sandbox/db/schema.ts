import {
	bigint,
	bigserial,
	boolean,
	date,
	index,
	integer,
	jsonb,
	pgTable,
	primaryKey,
	text,
	timestamp,
	uniqueIndex,
} from 'drizzle-orm/pg-core'

/*
 * The sandbox broker's books. Amounts are integer paise; a credit to the named account is positive. Prices are integers of 1/10,000
 * rupee (four decimals). Days are ISO text in Asia/Kolkata. Postings and quantity movements are only added, never changed.
 */
const paise = (name: string) => bigint(name, { mode: 'number' })
const price = (name: string) => bigint(name, { mode: 'number' })
const day = (name: string) => date(name, { mode: 'string' })

export const clients = pgTable('clients', {
	code: text('code').primaryKey(),
	name: text('name').notNull(),
	password_hash: text('password_hash').notNull(),
	is_dormant: boolean('is_dormant').notNull().default(false),
	/** personal_details, dp_details, nominees and banks as in the contract, with full numbers; responses mask them. */
	profile: jsonb('profile').notNull(),
	failed_logins: integer('failed_logins').notNull().default(0),
	locked_until: timestamp('locked_until', { withTimezone: true }),
})

export const sessions = pgTable('sessions', {
	/** SHA-256 of the token, so that a stolen copy of this table signs nobody in. */
	token_hash: text('token_hash').primaryKey(),
	session_id: text('session_id').notNull(),
	client: text('client').notNull(),
	expires_at: timestamp('expires_at', { withTimezone: true }).notNull(),
	revoked_at: timestamp('revoked_at', { withTimezone: true }),
	/** The message for a revoked token. */
	revoked_because: text('revoked_because'),
	/** CLIENT (a login) or REPORT (a report link, which allows only the calls of that report). */
	scope: text('scope').notNull().default('CLIENT'),
})

export const instruments = pgTable('instruments', {
	/** ISIN of a security, trading symbol of a contract (NIFTY26NOV24000CE). */
	id: text('id').primaryKey(),
	symbol: text('symbol').notNull(),
	name: text('name').notNull(),
	/** EQUITY, ETF (equity-oriented), OTHER_ETF (gold, silver, liquid), FUND, FUTURE, OPTION. */
	kind: text('kind').notNull(),
	/** NSE_CASH, NSE_FNO, CD_NSE or MCX. */
	segment: text('segment').notNull(),
	sector: text('sector').notNull(),
	series: text('series').notNull(),
	lot: integer('lot').notNull().default(1),
	/** Rupees per one unit of quantity and one rupee of price; more than 1 only on MCX. */
	multiplier: integer('multiplier').notNull().default(1),
	expiry: day('expiry'),
	strike: price('strike'),
	option_type: text('option_type'),
	/** Highest price of 31-01-2018, for grandfathering; null where not listed then. */
	fmv_2018: price('fmv_2018'),
})

export const prices = pgTable(
	'prices',
	{ instrument: text('instrument').notNull(), day: day('day').notNull(), close: price('close').notNull() },
	(t) => [primaryKey({ columns: [t.instrument, t.day] })],
)

export const corporateActions = pgTable('corporate_actions', {
	id: integer('id').primaryKey(),
	instrument: text('instrument').notNull(),
	ex_day: day('ex_day').notNull(),
	/** BONUS, SPLIT, DEMERGER, DIVIDEND, BUYBACK, RIGHTS. */
	kind: text('kind').notNull(),
	/** New for old: a 1:1 bonus is 1 and 1; a 5 to 1 split is 5 and 1. */
	numerator: integer('numerator').notNull(),
	denominator: integer('denominator').notNull(),
	/** The other security of a split or demerger. */
	into_instrument: text('into_instrument'),
	/** Basis points of cost that move to `into_instrument`. */
	cost_moved_bps: integer('cost_moved_bps'),
	/** Dividend or buyback price per share, in 1/10,000 rupee. */
	amount: price('amount'),
})

/** Contract notes; each is posted as one bill. */
export const notes = pgTable(
	'notes',
	{
		bill_no: text('bill_no').primaryKey(),
		/** The contract note's number, in the series of its financial year and segment; null for a mark to market. */
		contract_no: text('contract_no'),
		client: text('client').notNull(),
		day: day('day').notNull(),
		segment: text('segment').notNull(),
		/** The ledger of its bill: NSE_CASH or MCX. */
		cocd: text('cocd').notNull(),
		settlement_no: text('settlement_no').notNull(),
		settles_on: day('settles_on').notNull(),
		/** Sales less purchases, before charges; for futures the differences to the last mark. */
		obligation: paise('obligation').notNull(),
		/** What the client receives (+) or pays (-). */
		net: paise('net').notNull(),
	},
	(t) => [index('notes_client_day').on(t.client, t.day), uniqueIndex('notes_contract').on(t.contract_no)],
)

export const noteCharges = pgTable(
	'note_charges',
	{
		bill_no: text('bill_no').notNull(),
		/** BROKERAGE, EXCHANGE, SEBI, CGST, SGST, IGST, STT, CTT, STAMP. */
		kind: text('kind').notNull(),
		base: paise('base').notNull(),
		/** Per cent, as text: 0.00307. A flat fee is text too: ₹ 20 per order. */
		rate: text('rate').notNull(),
		amount: paise('amount').notNull(),
		/** The rule and its date, for "explain this charge". */
		rule: text('rule').notNull(),
	},
	(t) => [index('note_charges_bill').on(t.bill_no)],
)

export const trades = pgTable(
	'trades',
	{
		id: bigserial('id', { mode: 'number' }).primaryKey(),
		client: text('client').notNull(),
		day: day('day').notNull(),
		time: text('time').notNull(),
		segment: text('segment').notNull(),
		instrument: text('instrument').notNull(),
		/** B or S. */
		side: text('side').notNull(),
		quantity: integer('quantity').notNull(),
		price: price('price').notNull(),
		/** The part of the quantity squared off the same day (cash segment). */
		intraday_quantity: integer('intraday_quantity').notNull().default(0),
		/** Bought with margin funding. */
		is_mtf: boolean('is_mtf').notNull().default(false),
		/** Sold by the broker out of a pledge that it holds. */
		is_forced: boolean('is_forced').notNull().default(false),
		order_no: text('order_no').notNull(),
		trade_no: text('trade_no').notNull(),
		bill_no: text('bill_no').notNull(),
		brokerage: paise('brokerage').notNull(),
		/**
		 * This trade's share of all charges of its note, brokerage included. Shares are by largest remainder, so they sum to the note.
		 */
		charges: paise('charges').notNull(),
		/** The transaction tax in `charges` (STT or CTT). Capital gains may not deduct it. */
		stt: paise('stt').notNull(),
		/** The other charges: brokerage, stt and these four sum to `charges`. */
		exchange: paise('exchange').notNull().default(0),
		sebi: paise('sebi').notNull().default(0),
		gst: paise('gst').notNull().default(0),
		stamp: paise('stamp').notNull().default(0),
	},
	(t) => [index('trades_client_day').on(t.client, t.day), index('trades_bill').on(t.bill_no)],
)

/**
 * Futures marked to market: one row and one bill for each contract and day on which its price changed. A long position is positive.
 * `stood` is the position's value at the last mark, or its cost when opened after it. `amount` is its value at `price` less `stood`.
 */
export const marks = pgTable(
	'marks',
	{
		bill_no: text('bill_no').primaryKey(),
		client: text('client').notNull(),
		day: day('day').notNull(),
		instrument: text('instrument').notNull(),
		quantity: integer('quantity').notNull(),
		price: price('price').notNull(),
		stood: paise('stood').notNull(),
		amount: paise('amount').notNull(),
	},
	(t) => [index('marks_client').on(t.client, t.instrument, t.day)],
)

/**
 * FIFO lots. Quantity held on a day = lots opened by then less disposals by then. A corporate action closes a lot with a disposal of the
 * action's kind and opens another lot with the original acquisition day. Only derivatives have shorts.
 */
export const lots = pgTable(
	'lots',
	{
		id: bigint('id', { mode: 'number' }).primaryKey(),
		client: text('client').notNull(),
		instrument: text('instrument').notNull(),
		segment: text('segment').notNull(),
		/** L or S. */
		side: text('side').notNull(),
		opened_on: day('opened_on').notNull(),
		/** The day that counts for tax; earlier than opened_on after a split or demerger. */
		acquired_on: day('acquired_on').notNull(),
		quantity: integer('quantity').notNull(),
		/** Price paid for the whole lot, before charges; null when unknown. */
		cost: paise('cost'),
		/** Charges of acquisition that the law adds to the cost (no STT). */
		expenses: paise('expenses').notNull(),
		/** TRADE, BONUS, SPLIT, DEMERGER, IPO, TRANSFER. */
		origin: text('origin').notNull(),
		trade_id: bigint('trade_id', { mode: 'number' }),
		from_lot: bigint('from_lot', { mode: 'number' }),
	},
	(t) => [index('lots_client').on(t.client, t.instrument)],
)

export const disposals = pgTable(
	'disposals',
	{
		id: bigint('id', { mode: 'number' }).primaryKey(),
		lot_id: bigint('lot_id', { mode: 'number' }).notNull(),
		client: text('client').notNull(),
		day: day('day').notNull(),
		quantity: integer('quantity').notNull(),
		/** SALE (or buying back a short), EXPIRY, SPLIT, DEMERGER, BUYBACK. */
		kind: text('kind').notNull(),
		/** Proceeds of this part, before charges. */
		proceeds: paise('proceeds').notNull(),
		/**
		 * This part's share of the lot's cost; null when unknown. For a short, `cost` is the money received and `proceeds` the money
		 * paid.
		 */
		cost: paise('cost'),
		/** This part's share of the lot's expenses. */
		expenses: paise('expenses').notNull(),
		/** This part's share of the closing trade's charges, without STT, and of its STT. */
		sale_expenses: paise('sale_expenses').notNull(),
		stt: paise('stt').notNull(),
		trade_id: bigint('trade_id', { mode: 'number' }),
		/** Bought and sold the same day in the cash segment. */
		is_intraday: boolean('is_intraday').notNull().default(false),
	},
	(t) => [index('disposals_client_day').on(t.client, t.day), index('disposals_lot').on(t.lot_id)],
)

/** Money lent (+) for a margin-funded purchase or repaid (-) on its sale; posted as a voucher between CLIENT and MTF. */
export const fundings = pgTable(
	'fundings',
	{
		id: bigserial('id', { mode: 'number' }).primaryKey(),
		client: text('client').notNull(),
		instrument: text('instrument').notNull(),
		day: day('day').notNull(),
		amount: paise('amount').notNull(),
	},
	(t) => [index('fundings_client').on(t.client, t.day)],
)

export const dividends = pgTable('dividends', {
	id: bigserial('id', { mode: 'number' }).primaryKey(),
	client: text('client').notNull(),
	instrument: text('instrument').notNull(),
	ex_day: day('ex_day').notNull(),
	quantity: integer('quantity').notNull(),
	/** The declared amount before tax, or a buyback's receipt that is taxed as a dividend. */
	amount: paise('amount').notNull(),
	/** Tax deducted by the company; the client's bank got the rest. */
	tds: paise('tds').notNull().default(0),
})

export * from './schema-changes'
export * from './schema-depository'
export * from './schema-entries'
export * from './schema-esign'
export * from './schema-funds'
export * from './schema-ipo'
export * from './schema-mtf'
export * from './schema-office'
export * from './schema-passwords'
