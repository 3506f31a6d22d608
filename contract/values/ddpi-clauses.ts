/** The four uses of a DDPI that the law allows (SEBI; domain B-23), in the words of the specification. */
export const DDPI_CLAUSES = {
	DELIVERY:
		'Transfer of securities held in the beneficial owner account towards stock exchange related deliveries or settlement obligations arising out of trades executed by the client.',
	PLEDGE: 'Pledging or re-pledging of securities in favour of the trading or clearing member to meet margin requirements.',
	FUNDS: 'Mutual fund transactions executed on stock exchange order entry platforms.',
	OFFERS: 'Tendering shares in open offers through stock exchange platforms.',
}
