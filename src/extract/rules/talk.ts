/** A statement of what is about to be done. */
export function isIntent(text: string): boolean {
  return /^(?:(?:(?:ok|okay|now|next|first|so|then|alright|right|great|perfect),?\s+)*(?:I(?:'ll|'m going to| will| am going to| plan to| intend to| need to| want to|'m about to| am about to|'d like to)|let me(?! know)|let's|let us|we'll|we will|we're going to|time to|going to)|(?:zuerst |jetzt |nun |als nächstes )?(?:ich werde|werde ich|ich schaue|ich sehe mir|ich will|lass mich|lassen Sie mich|schauen wir|ich prüfe (?:jetzt|nun|zuerst))|(?:je vais|nous allons|voy a|vamos a|déjame))(?=\s|$)/iu.test(
    text,
  );
}

/** An offer or a call on the reader's patience. */
export function isOffer(text: string): boolean {
  return /^(?:and |or |but |so |just |please |also )?(?:let me know|tell me|feel free|(?:I'm )?happy to|I can also|I could also|I can |want me to|shall I|should I|do you want|would you like|if you(?:'d| would)? (?:want|like|prefer|need)\b|you (?:may|might) want|just say|say the word|sag(?:en Sie)? (?:mir )?Bescheid|melde dich|soll ich|möchtest du|wenn du (?:willst|möchtest|magst)|gib(?:t)? (?:mir )?Bescheid|n'hésitez|dis-moi|dites-moi|avísame|dime)/iu.test(
    text,
  );
}
