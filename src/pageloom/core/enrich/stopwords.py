"""Words too common to say what a text is about, by language: data, not code."""

from __future__ import annotations

_LISTS: dict[str, str] = {
    "en": "a about above according across after again against ago all almost along already also although always am among an and another"
    " any anyone anything are around as ask at away back be became because become been before being below best better between both but by"
    " call came can cannot come could day days did do does doing done down during each either else enough even ever every everyone"
    " everything far few find first five for four from full get getting give given go goes going gone good got great had half has have"
    " having he help her here hers herself him himself his how however i if in indeed instead into is it its itself just keep kind know"
    " known last later least less let like likely little long look looking lot made make makes making many may maybe me mean means might"
    " mine more most much must my myself near need needs never new next no nobody none nor not nothing now of off often on once one only or"
    " other others our ours out over own part people per perhaps place please put quite rather really right said same say says see seem"
    " seems seen set several shall she should show since six small so some someone something sometimes soon still such sure take taken"
    " than that the their theirs them themselves then there therefore these they thing things think this those though three through thus"
    " time times to today together told too took toward try two under until up upon us use used using usually very via want wants was way"
    " ways we well went were what whatever when where whether which while who whole whom whose why will with within without work would"
    " year years yes yet you your yours yourself don't it's i'm you're we're that's can't doesn't didn't won't isn't there's i've they're"
    " read click share comments comment page site website article post blog email subscribe sign login copyright cookie cookies",
    "de": "aber alle allem allen aller alles als also am an andere anderen anderer anderes auch auf aus bei beim bin bis bist da dabei"
    " dadurch dafür dagegen daher dahin damit danach daneben dann daran darauf daraus darf darin darum darunter das dass daß davon davor"
    " dazu dein deine dem den denn der deren des deshalb dessen die dies diese diesem diesen dieser dieses doch dort du durch dürfen ein"
    " eine einem einen einer eines einfach einige einmal er erst es etwa etwas euch euer für ganz gar geht gegen gewesen gibt gut hab habe"
    " haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in indem ins ist ja jede jedem jeden"
    " jeder jedes jedoch jetzt kann kein keine keinen können könnte man mehr mein meine mir mit muss müssen nach nachdem neben nicht nichts"
    " noch nun nur ob oder ohne schon sehr sei seien sein seine seinem seinen seiner seit selbst sich sie sind so sogar soll sollen sollte"
    " sondern sonst über um und uns unser unsere unter viel viele vom von vor während war waren warum was weil weiter welche wenn wer werde"
    " werden wie wieder will wir wird wirklich wo wurde wurden zu zum zur zwar zwei zwischen jahr jahre jahren uhr neue neuen",
    "fr": "ai ainsi alors après au aucun aussi autre autres aux avait avant avec avoir bien car ce ceci cela celle celles celui cependant ces"
    " cet cette ceux chaque chez comme comment dans de depuis des deux donc dont du elle elles en encore entre est et étaient était été être"
    " eu eux faire fait faut fois font ici il ils je jour jusque la le les leur leurs lors lorsque lui ma mais me même mes moins mon ne non"
    " nos notre nous on ont ou où par parce pas pendant peu peut peuvent plus plusieurs pour pourquoi puis quand que quel quelle quelques"
    " qui quoi sa sans se sera ses si son sont sous sur ta tandis tel tes toujours tous tout toute toutes très trop tu un une vers vous votre"
    " vos année années plus aujourd'hui être",
    "es": "a al algo algunas algunos ante antes aquí así aún año años bajo bien cada casi como cómo con contra cual cuales cuando cuándo"
    " de debe del desde después día días donde dónde dos e el él ella ellas ellos en entre era eran es esa esas ese eso esos esta está"
    " están estas este esto estos fue fueron ha hace hacer hacia han has hasta hay la las le les lo los más me mejor mi mientras mis mismo"
    " mucho muchos muy nada ni no nos nosotros o otra otras otro otros para parte pero poco por porque pues puede pueden que qué quien se"
    " sea según ser si sí sido sin sino sobre solo son su sus también tan tanto te tiene tienen todo todos tras tu tus u un una uno unos vez"
    " y ya yo",
    "pt": "a à ainda algo alguns além ano anos antes ao aos apenas aqui as assim até bem cada com como contra da das de depois desde deve dia"
    " dias do dois dos e é ela elas ele eles em então entre era essa esse esta está estão este eu faz fazer foi foram grande há isso isto já"
    " lhe mais mas me mesmo meu muito muitos na nada não nas nem no nos nós nossa nosso num numa o onde os ou outra outro para parte pela pelo"
    " pode podem por porque porém pouco quando que quem se sem ser será seu seus si sido sim sobre sua suas também tão tem têm ter toda todas"
    " todo todos tudo um uma umas uns vai vez você vocês",
    "it": "a ad al alla alle allo anche ancora anni anno avere aveva c'è che chi ci ciò come con contro cosa così cui da dal dalla dalle degli dei"
    " del della delle dello deve di dopo dove due e è ed era erano essere fa fare fino fra gli ha hanno ho i il in io la le lei li lo loro lui ma"
    " mai me meno mentre mi mia mio molti molto ne nei nel nella nelle no noi non nostra nostro o ogni oggi oltre ora per perché però più poi"
    " possono prima proprio può qual quale quali quando quanto quella quelle quelli quello questa queste questi questo qui se sempre senza si"
    " sia sono sopra sotto stata stati stato su sua sue sul sulla suo suoi tra tutta tutte tutti tutto un una uno va vi volta",
    "nl": "aan al alle alleen als altijd ander andere ben bij daar dan dat de deze die dit doen door dus een en er ge geen geweest haar had heb"
    " hebben heeft hem het hier hij hoe hun iemand iets ik in is ja jaar jaren je jij jou jullie kan kon kunnen maar me meer men met mij mijn"
    " moet na naar niet niets nog nu of om omdat onder ons onze ook op over reeds te tegen tijdens toch toen tot tussen twee u uit uw van veel"
    " voor waar want waren was wat we wel werd wie wij wil wordt worden zal ze zelf zich zij zijn zo zonder zou",
    "sv": "alla allt att av bara bli blir blev de dem den denna deras dess det detta dig din ditt du där efter ej eller en er ett från för"
    " genom ha hade han hans har hela henne hennes här i icke ingen inom inte jag kan kommer kunde man med mellan men mer mig min mitt mot"
    " mycket många måste ni nu när någon något några och om oss på samma sedan sig sin sina ska skulle som så till under upp ut utan vad var"
    " vara varit vi vid vilka vilken är även åt över år",
    "da": "af alle alt at blev bliver da de dem den denne der deres det dette dig din dog du efter eller en end er et for fra få ham han hans har"
    " havde hende her hos hun hvad hvis hvor i ikke ind jeg jer kan kunne man mange med meget men mere mig min mod når ned nogle nok nu og også"
    " om op os over på selv sig sin sine skal skulle som til ud under var ved vi vil ville vor være været år",
    "no": "alle at av bare ble bli blir da de deg dem den denne der deres det dette din du eller en enn er et etter for fordi fra få gjør ha hadde"
    " han hans har hun hva hvis hvor i ikke ingen inn jeg kan kunne man mange med meg mellom men mer min mot mye må ned noe noen nok når nå og"
    " også om opp oss over på seg selv sin sine skal skulle slik som så til under ut uten var ved vi vil ville være vært år",
    "fi": "ei eivät en et että ja jo joka jos jotka kanssa kuin kun kuten me mikä minä mitä mukaan mutta myös ne niin nyt näin ole olemme olen oli"
    " olisi olivat ollut on ovat sekä sen se siitä sitä tai tämä tässä tätä vain voi vuoden vuonna hän he hänen hyvin itse kaikki koska mukana"
    " noin pitää sillä joita jossa jonka",
    "pl": "a aby ale albo ani bardzo bez bo był była było były będzie być by chce ci co czy czyli dla do gdy gdyby gdzie go i ich ile im inne ja jak"
    " jako je jego jej jest jeszcze jeśli już każdy kiedy który która które których ku lat lecz lub ma mają mi między mnie może można my na nad nam"
    " nas nawet nie nich nim niż no o od on ona one oni oraz pan po pod podczas ponad ponieważ poza przed przez przy roku są się sobie swoje tak"
    " także tam te tego tej ten też to tu tych tylko tym u w we więc wszystko wszystkich z za ze że żeby",
    "cs": "a aby ale ani ano asi až bez bude budou by byl byla byli bylo být co či dnes do ho i jak jako je jeho jej jejich jen ještě ji jinak jsem"
    " jsou již k kde kdo když která které který kteří ku let má mají mezi mi může na nad nám ne nebo něco není než nic o od on ona oni po pod podle"
    " pokud pouze pro proto proč před při roce rok roku s se si svého své svůj ta tak také tam te ten tento této tím to tomu tuto ty u už v ve však"
    " všechny více vše z za ze že",
    "ru": "а без более бы был была были было быть в вам вас весь во вот все всего всех всё вы где да даже для до его ее её если есть еще ещё же за"
    " здесь и из или им их к как какой когда кто ли либо между меня мне может можно мы на над надо наш не него нее нет ни них но ну о об один одна"
    " он она они оно от очень по под после потому при про раз с сам свои своих себя со так также такой там те тебя тем то того тоже только том тот"
    " ты у уже хотя чего чем через что чтобы эта эти это этого этой этом этот я году года лет время который которая которые которых",
    "uk": "а або але без би був була були було бути в вам вас ваш весь від вже ви во він вона вони воно все всі де для до є ж за з зі і із її їх й як"
    " яка які який якщо коли крім ми можна може між на над нам нас не нею ні них о один от по при про проте раз с себе свої та так також там те тим"
    " то того тому тільки ти у хоча це цей цих цього час через чи що щоб я року років",
    "tr": "acaba ama ancak artık aslında az bana bazı belki ben bir biri biz bu buna bunu bunun burada çok çünkü da daha de değil diye dolayı en gibi"
    " göre hem hep her hiç için ile ilgili ise işte kadar karşı kendi ki kim mı mi mu mü nasıl ne neden nerede o olan olarak oldu olduğu olsa on ona"
    " onlar onu onun sadece sanki sen siz son sonra şey şu tarafından tüm üzere var ve veya ya yani yapılan yeni yıl yok zaman",
    "ro": "a acea aceasta această acest aceste acestea acestor acestui ai al ale am an ani ar are asupra atât au avea avut ca cadrul care cât ce cea"
    " cei cel cele celor către chiar cu cum că da dacă dar de deci deja din după două e ea ei el ele era este eu fi fie fiind foarte fost în încă"
    " îi între îşi la le li lor lui mai mult nici nu o or pe pentru poate prin sa să sale sau se si și sunt sub tot trebuie un una unei unor unui va"
    " vor",
    "hu": "a abban ahhoz ahogy aki akik akkor alatt általában amely amelyek ami amikor az azért azok azonban azt aztán be belül benne cikk csak de e"
    " egy egyes egyik egyre ehhez el ellen első és ez ezek ezen ezért ezt fel hanem hogy hogyan igen így ill is itt jó jobban kell keresztül ki kívül"
    " közben között közül le legalább lehet lenne lesz lett maga majd már más meg mely mert mi mint mivel most nagy nagyon ne nekem nem nincs ő olyan"
    " össze ott pedig s saját sem sok sokkal számára szerint szinte talán tehát teljes tovább több újra úgy után utolsó vagy vagyis valaki való van vannak"
    " volt volna év évben",
    "el": "αι αλλά αν από απο αυτά αυτές αυτή αυτό αυτός για γιατί δεν δε εδώ είναι είχε ενώ ένα έναν ένας έχει έχουν η ήταν θα και κάθε καθώς κατά κι με"
    " μετά μέσα μια μία μόνο μπορεί να ο οι όλα όμως όπου όπως όσο όταν ότι ούτε πιο που πολύ πριν προς πως σαν σας σε στα στη στην στις στο στον στους"
    " τα τη την της τι τις το τον του τους των ως χρόνια",
    "id": "ada adalah agar akan antara apa atau bagi bahwa banyak baru beberapa bisa dalam dan dapat dari dengan di dia hal hanya hari harus ini itu jika"
    " juga kami karena kata ke kepada kita lagi lain lebih maka mereka merupakan namun oleh orang pada para saat saja sangat saya sebagai sebuah secara"
    " sejak semua seperti serta setelah sudah suatu tahun telah tentang terhadap tersebut tetapi tidak untuk yang",
    "vi": "bị bởi các cái cần chỉ cho chưa có cùng cũng của đã đang đây đến để đó được gì hay hơn hoặc khi không là lại lên lúc mà mỗi một năm này nên"
    " nếu ngay người như nhưng những nhiều nơi phải qua ra rằng rất rồi sau sẽ so sự tại theo thì trên trong trước từ và vào vẫn vì với việc",
    "ar": "في من على إلى الى عن مع هذا هذه ذلك التي الذي الذين أن ان إن كان كانت لا ما هو هي هم كل بعد قبل بين حتى أو او ثم لم لن قد كما عند غير أي كذلك"
    " حيث لقد ليس منذ نحو وهو وهي بعض أكثر خلال عبر دون فقط أيضا وقد",
    "fa": "از به در با که این آن را برای است هم بر تا یا شد شده می هر ما بود های ها یک خود نیز اما او دو آنها پس اگر باید چه کرد کرده شود کند",
    "he": "של את על עם לא כל זה זו הוא היא הם אני אנחנו אתה או גם כי אם אך אבל יש אין היה היו להיות מה מי כמו רק עוד לפני אחרי בין יותר כך שם כדי אשר",
    "hi": "का के की है में से को पर और यह एक नहीं हैं भी कि तो इस जो ही वह कर हो था थे थी लिए किया गया ने अपने कुछ साथ बाद तक सकते रहे रहा रही जब अब उन इन होता",
    "ja": "こと もの ため これ それ よう ところ など 場合 以上 以下 今回 自分",
    "zh": "我们 你们 他们 这个 那个 一个 没有 可以 自己 因为 所以 但是 如果 已经 什么 进行 以及 或者 这些 那些 不是 就是",
}  # fmt: skip

STOP_WORDS: dict[str, frozenset[str]] = {language: frozenset(words.split()) for language, words in _LISTS.items()}
"""Words per language, in lower case."""
