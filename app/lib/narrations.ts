/** Plain words for the broker's ledger narrations. The first matching pattern counts. */
const EXPLANATIONS: [pattern: RegExp, words: string][] = [
	[/^OPENING BALANCE/i, 'What was in this ledger at the end of the day before the period begins.'],
	[
		/BILL|OBLIGATION/i,
		'The settlement of one day’s trades: what was sold less what was bought, less brokerage, taxes and exchange charges. The contract note of that day has each of them.',
	],
	[
		/DP CHARGE/i,
		'The depository’s and the broker’s fee for taking sold shares out of the demat account: once for each share and day, whatever the quantity, plus GST.',
	],
	[/\bAMC\b/i, 'The yearly maintenance fee of the demat account, with GST.'],
	[/MTF.*INTEREST|INTEREST.*MTF/i, 'Interest for the part of margin-trading purchases that the broker pays for, counted by the day.'],
	[/MTF/i, 'The part of a margin-trading purchase that the broker pays for, or its repayment when the shares are sold.'],
	[/DELAYED PAYMENT|DPC|LATE PAYMENT|INTEREST/i, 'Interest for the days on which this ledger was in debit beyond the settlement day.'],
	[/MARGIN.*(RELEASE|REVERS)/i, 'Margin that is no longer needed comes back.'],
	[/MARGIN|SPAN|EXPOSURE/i, 'Money set aside as margin for open positions. It comes back when they are closed; it is not a cost.'],
	[/UNPLEDGE|PLEDGE/i, 'The fee for pledging shares as margin, or for releasing them, for each share and request, plus GST.'],
	[/MTM|MARK TO MARKET/i, 'The day’s profit or loss of open futures, settled in cash every day.'],
	[
		/QUARTERLY|MONTHLY SETTLEMENT|RUNNING ACCOUNT|AUTO SETTLEMENT/i,
		'Money that was not needed, sent to the bank on a date that the regulator sets (running-account settlement).',
	],
	[/PAY-?OUT|PAYOUT/i, 'Money sent to the bank at your request.'],
	[/PAY-?IN|RECEIVED|RECEIPT|UPI|NEFT|IMPS|RTGS|PAYMENT GATEWAY/i, 'Money that arrived from a registered bank account.'],
	[
		/SHUFFLING|INTER.?(SEGMENT|EXCHANGE)|TRANSFER (TO|FROM)/i,
		'Money moved between this account’s own ledgers. The other ledger shows the same amount on the other side.',
	],
	[/AUCTION/i, 'Shares that were sold and not delivered were bought in an auction; this is what that cost.'],
	[/PENALTY/i, 'A penalty that the exchange charged, passed on.'],
	[
		/DIVIDEND|BUYBACK|FRACTION|CORPORATE ACTION/i,
		'Cash from a company’s action on shares held, such as a buyback or a fraction of a bonus share.',
	],
	[/IPO/i, 'Money for an application in a public offer.'],
	[/REVERSAL|CORRECTION/i, 'An entry that reverses another one.'],
]

/** The words that say what an entry is come first. Two of the patterns take the square of a text's length. */
const LONGEST = 300

/** The meaning of an entry in one sentence; undefined for an unknown narration. */
export function explainNarration(narration: string): string | undefined {
	return EXPLANATIONS.find(([pattern]) => pattern.test(narration.slice(0, LONGEST)))?.[1]
}

/** Short names that stay in capitals in a sentence. A word with a digit is a number or a contract, and stays too. */
const CAPITALS = new Set(
	'AMC BSE CD CDSL CDS CUSPA DDPI DP DPC ETF F&O FNO GST HDFC ICICI IMPS IPO ISIN KYC MCX MTF MTM NEFT NSDL NSE PAN RTGS SBI SLBM STT TDS UPI UTR'.split(
		' ',
	),
)

/** `MTF MARGIN BLOCKED` as `MTF margin blocked`: capitals are hard to read. A text with a small letter stays as the broker wrote it. */
export function toSentence(narration: string): string {
	if (/\p{Ll}/u.test(narration)) return narration
	const words = narration.replace(/[^\s,.:;()/_-]+/g, (word) => (CAPITALS.has(word) || /\d/.test(word) ? word : word.toLowerCase()))
	return words.charAt(0).toUpperCase() + words.slice(1)
}
