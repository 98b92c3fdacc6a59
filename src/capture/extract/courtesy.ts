/**
 * Sentences of an answer that say nothing about the work once the turn is over: courtesy, the state of the work, plans for
 * the next step, offers. A list may only drop sentences, so a language that is missing here loses nothing.
 */
const DROPPED: readonly RegExp[] = [
  // English: acknowledgements and leads.
  /^(?:you(?:'re| are) (?:absolutely |completely )?(?:right|welcome)|(?:good|great|excellent|fair) (?:question|catch|point|idea|call|news)|great|perfect|excellent|sure|certainly|of course|understood|got it|okay|ok|thanks|thank you|sorry|my apologies|i apologi[sz]e|done|right)\b(?:[^\p{L}]+[\p{L}']+){0,3}[.!]$/iu,
  /^(?:(?:here(?:'s| is| are| you go)|below (?:is|are)|see below|this is (?:a|the) summary|in summary:?$|summary)\b|to summari[sz]e[.:])/iu,
  // Plans and looks around.
  /^(?:(?:ok(?:ay)?|good|great|perfect|now|next|first|so|alright|excellent),? )*(?:let me|let's|let us|i(?:'ll| will|'m going to| am going to)|i(?:'m| am) (?:now )?(?:going|checking|looking|reading|running|starting|waiting)|i need to|i should|i want to|i have (?:everything|enough|all|a (?:clear|full|complete|good))|i now (?:have|understand|see)|i (?:understand|see)\b(?! that)|now i (?:have|understand|see|need|can)|we can now (?:start|begin|proceed)|looking (?:at|into)|checking|running|waiting|starting|reading)\b/iu,
  // Offers and questions put as statements.
  /\b(?:let me know|feel free|want me to|would you like|do you want|should i|shall i|happy to|glad to|i can (?:also |now )?(?:help|do that|add|implement|proceed|start|go ahead)|if you(?:'d| would)? (?:like|want|prefer|need|wish)|say the word|just (?:say|tell|ask)|tell me (?:if|when|which|what)|ready (?:for|when|to)|your (?:call|choice|approval|confirmation|go-ahead)|hope (?:this|that) helps|if .{1,80}, i(?:'ll|’ll| can| will)|please (?:let|confirm|review|approve|provide|share|tell|run|try))\b/iu,
  // The state of the work.
  /^(?:[\w'’/-]{1,40} ){0,5}?(?:tests?|checks?|lint(?:er|ing)?|builds?|suites?|ci|type-?checks?|compil(?:es|ation)|hooks?|everything)\b(?: [\w`-]+){0,4} (?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|success(?:ful(?:ly)?)?|green|clean(?:ly)?|works?|fine)\b[^.]{0,60}[.!]$/iu,
  // That something was so before is an answer.
  /^(?![^.]{0,80}\balready\b)(?:(?:the|this|that|all|both|everything|it|i(?:'ve| have)?|we(?:'ve| have)?)(?: [\w'’-]+){0,3} )?(?:(?:is|are|was|were|has been|have been) )?(?:now |all |also |just |successfully )*(?:done|complete[d]?|finished|committed|pushed|merged|ready|in place|up to date|good to go|passing|clean|verified|confirmed)\b[^.:;—–]{0,40}[.!]$/iu,
  /^(?:(?:i(?:'ve| have)?|we(?:'ve| have)?) )?(?:just |now |also )?(?:(?:committed|pushed|staged|opened|posted)\b[^.,]{0,120}|(?:verified|validated|reran|ran (?:all|both|the|`))\b[^.]{0,120})(?:\.|$)/iu,
  /\b(?:report|summary|findings|results?|plan|analysis|review|output|notes?|document)\b.{0,60}\b(?:written|saved|stored|posted|available) (?:to|in|at|under)\b|^(?:i(?:'ve| have)? )?(?:wrote|written|saved) (?:the |a |my )?(?:full |complete |detailed )?(?:report|summary|findings|results?|plan|analysis|review)\b/iu,
  /\b(?:working (?:tree|directory|copy)|branch) is (?:now )?(?:clean|up to date)\b|^(?:nothing|no) (?:else|more|further)\b/iu,
  // German.
  /^(?:(?:okay|gut|super|so|jetzt|nun|zuerst|als nächstes),? )*(?:ich (?:werde|schaue|prüfe|sehe mir|beginne|starte|habe (?:jetzt )?(?:alles|genug))|lass(?:en sie|t)? (?:mich|uns)|schauen wir|(?:jetzt |nun |als nächstes )(?:schaue|prüfe|werde|muss|führe|lese|sehe) ich)\b/iu,
  /\b(?:sag(?:en sie)? (?:mir )?(?:einfach )?bescheid|soll ich|möchte(?:st du|n sie)|willst du|wenn (?:du|sie) (?:willst|wollen|möchtest|möchten|magst)|gerne? (?:kann|mache) ich|hoffe,? das hilft)\b/iu,
  /^(?:(?:du hast|sie haben) recht|gute frage|alles klar|verstanden|natürlich|gerne|erledigt|fertig)\b(?:[^\p{L}]+\p{L}+){0,3}[.!]$|^(?:alle|sämtliche)(?: \S+){0,2} (?:tests?|prüfungen)\b[^.]{0,40}[.!]$|^(?:hier (?:ist|sind|die|der|das)|nachfolgend)\b/iu,
  // Turkish.
  /^(?:tamam(?:dır|landı)?|harika|elbette|tabii(?: ki)?|anladım|anlaşıldı|haklısın(?:ız)?|bitti|güzel soru|teşekkürler)(?:[^\p{L}]+\p{L}+){0,3}[.!]$|^(?:işte|aşağıda)\b/iu,
  /(?:yapacağım|bakacağım|edeceğim|inceleyeceğim|başlayacağım|çalıştıracağım|kontrol edeyim|bakayım|inceleyeyim|ister misin(?:iz)?|isterseniz|istersen|haber ver(?:in)?|bana (?:bildir|söyle)\p{L}*)(?![\p{L}])/iu,
  /^(?:tüm|bütün|bağımsız)(?: \S+){0,2} (?:testler|kontroller)\p{L}*(?: \S+){0,2}[.!]$/iu,
  // Chinese.
  /^(?:好的|好|没问题|明白了?|收到|当然|完成了?|已完成|搞定|您?你?说得对|好问题)[，,。！!]?[^，。]{0,6}[。！!]?$|^(?:让我|我来|我将|我会|我先|我要|接下来|下面(?:我|是)|首先我|现在(?:让)?我|以下是|这是(?:一份)?总结)/u,
  /(?:如果(?:你|您)?(?:需要|想|愿意|希望|还有)|请告诉我|告诉我一声|需要我|要不要我?|是否需要|希望(?:这|能)[^。]*帮助|请(?:确认|审阅|查看))/u,
  /^(?:所有|全部)[^，。]{0,8}(?:测试|检查)[^，。]{0,6}通过[^。]{0,10}。?$/u,
  // French and Spanish.
  /^(?:je vais|laissez?-moi|laisse-moi|voici|parfait|d'accord|voy a|déjame|permíteme|aquí (?:está|tienes)|perfecto|de acuerdo|listo)\b/iu,
  /\b(?:n'hésitez? pas|dites?-moi|voulez-vous|souhaitez-vous|veux-tu|si (?:vous|tu) (?:voulez|veux|souhaitez)|avísame|dime si|¿?quieres que|si (?:quieres|lo deseas|necesitas))\b/iu,
];

/** Tells whether a sentence is courtesy, a plan, an offer or the mere state of the work. */
export function isCourtesy(sentence: string): boolean {
  return DROPPED.some((pattern) => pattern.test(sentence));
}

/** Words that point back: a sentence that begins with one says nothing without the sentence before it. */
const LEANING =
  /^(?:(?:it|its|this|that|these|those|they|them|which|so|then|also|such|but|and|or|however|otherwise|instead|therefore|thus|additionally|similarly|i also|we also|das|dies\p{L}*|dadurch|damit|deshalb|daher|außerdem|auch|es|sie|ebenso|aber|und|bu|bunun|bunlar|böylece|ayrıca|ancak|ve|ama|cela|c'est|ce|esto|eso|además)(?![\p{L}-])|这|那|它|因此|所以|此外|但|并且|同时)/iu;

/** Tells whether a sentence needs the one before it. */
export function isLeaning(sentence: string): boolean {
  return LEANING.test(sentence);
}

/** Words with which a sentence takes back, or limits, the one before it. */
const CONTRARY =
  /^(?:(?:but|however|not|no longer|yet|although|nevertheless|unfortunately|aber|jedoch|allerdings|doch|nicht|leider|ama|ancak|fakat|değil|mais|cependant|toutefois|pourtant|pero|sin embargo|no obstante)(?![\p{L}-])|但|不过|然而|可是)/iu;

/** Tells whether a sentence takes back the one before it. */
export function isContrary(sentence: string): boolean {
  return CONTRARY.test(sentence);
}
