"""Month names and relative-time words as data, by ISO 639-1 language.

A month is a string of forms separated by ``|``; the first is the usual one. Forms are matched
without case and marks. Prefixes of three letters and more are understood where only one month of
the language begins so, which covers abbreviations; others are listed here.
"""

from __future__ import annotations

MONTHS: dict[str, str] = {
    "en": "january|jan, february|feb, march|mar, april|apr, may, june|jun, july|jul, august|aug, september|sept|sep,"
    " october|oct, november|nov, december|dec",
    "de": "januar|jänner|jan, februar|feber|feb, märz|maerz|mrz, april|apr, mai, juni|juno|jun, juli|julei|jul,"
    " august|aug, september|sept|sep, oktober|okt, november|nov, dezember|dez",
    "fr": "janvier|janv, février|fevr|fév, mars, avril|avr, mai, juin, juillet|juil, août|aout, septembre|sept,"
    " octobre|oct, novembre|nov, décembre|déc",
    "es": "enero|ene, febrero|feb, marzo|mar, abril|abr, mayo|may, junio|jun, julio|jul, agosto|ago,"
    " septiembre|setiembre|sept|sep|set, octubre|oct, noviembre|nov, diciembre|dic",
    "pt": "janeiro|jan, fevereiro|fev, março|mar, abril|abr, maio|mai, junho|jun, julho|jul, agosto|ago,"
    " setembro|set, outubro|out, novembro|nov, dezembro|dez",
    "it": "gennaio|gen, febbraio|feb, marzo|mar, aprile|apr, maggio|mag, giugno|giu, luglio|lug, agosto|ago,"
    " settembre|set|sett, ottobre|ott, novembre|nov, dicembre|dic",
    "nl": "januari|jan, februari|feb, maart|mrt, april|apr, mei, juni|jun, juli|jul, augustus|aug, september|sept|sep,"
    " oktober|okt, november|nov, december|dec",
    "sv": "januari|jan, februari|feb, mars|mar, april|apr, maj, juni|jun, juli|jul, augusti|aug, september|sep,"
    " oktober|okt, november|nov, december|dec",
    "da": "januar|jan, februar|feb, marts|mar, april|apr, maj, juni|jun, juli|jul, august|aug, september|sep,"
    " oktober|okt, november|nov, december|dec",
    "no": "januar|jan, februar|feb, mars|mar, april|apr, mai, juni|jun, juli|jul, august|aug, september|sep,"
    " oktober|okt, november|nov, desember|des",
    "is": "janúar|jan, febrúar|feb, mars|mar, apríl|apr, maí, júní|jún, júlí|júl, ágúst|ágú, september|sep,"
    " október|okt, nóvember|nóv, desember|des",
    "fi": "tammikuu|tammikuuta|tammikuun|tammi, helmikuu|helmikuuta|helmikuun|helmi, maaliskuu|maaliskuuta|maaliskuun|maalis,"
    " huhtikuu|huhtikuuta|huhtikuun|huhti, toukokuu|toukokuuta|toukokuun|touko, kesäkuu|kesäkuuta|kesäkuun|kesä,"
    " heinäkuu|heinäkuuta|heinäkuun|heinä, elokuu|elokuuta|elokuun|elo, syyskuu|syyskuuta|syyskuun|syys,"
    " lokakuu|lokakuuta|lokakuun|loka, marraskuu|marraskuuta|marraskuun|marras, joulukuu|joulukuuta|joulukuun|joulu",
    "et": "jaanuar|jaan, veebruar|veebr, märts, aprill|apr, mai, juuni, juuli, august|aug, september|sept, oktoober|okt,"
    " november|nov, detsember|dets",
    "lv": "janvāris|janvārī|janv, februāris|februārī|febr, marts|martā, aprīlis|aprīlī|apr, maijs|maijā, jūnijs|jūnijā|jūn,"
    " jūlijs|jūlijā|jūl, augusts|augustā|aug, septembris|septembrī|sept, oktobris|oktobrī|okt, novembris|novembrī|nov,"
    " decembris|decembrī|dec",
    "lt": "sausis|sausio|saus, vasaris|vasario|vas, kovas|kovo, balandis|balandžio|bal, gegužė|gegužės|geg,"
    " birželis|birželio|birž, liepa|liepos, rugpjūtis|rugpjūčio|rugp, rugsėjis|rugsėjo|rugs, spalis|spalio|spal,"
    " lapkritis|lapkričio|lapkr, gruodis|gruodžio|gruod",
    "pl": "styczeń|stycznia|sty, luty|lutego|lut, marzec|marca|mar, kwiecień|kwietnia|kwi, maj|maja,"
    " czerwiec|czerwca|cze, lipiec|lipca|lip, sierpień|sierpnia|sie, wrzesień|września|wrz,"
    " październik|października|paź, listopad|listopada|lis, grudzień|grudnia|gru",
    "cs": "leden|ledna|led, únor|února|úno, březen|března|bře, duben|dubna|dub, květen|května|kvě, červen|června|čvn,"
    " červenec|července|čvc, srpen|srpna|srp, září|zář, říjen|října|říj, listopad|listopadu|lis, prosinec|prosince|pro",
    "sk": "január|januára|jan, február|februára|feb, marec|marca|mar, apríl|apríla|apr, máj|mája, jún|júna, júl|júla,"
    " august|augusta|aug, september|septembra|sep, október|októbra|okt, november|novembra|nov, december|decembra|dec",
    "sl": "januar|januarja|jan, februar|februarja|feb, marec|marca|mar, april|aprila|apr, maj|maja, junij|junija|jun,"
    " julij|julija|jul, avgust|avgusta|avg, september|septembra|sep, oktober|oktobra|okt, november|novembra|nov,"
    " december|decembra|dec",
    "hr": "siječanj|siječnja|sij, veljača|veljače|velj, ožujak|ožujka|ožu, travanj|travnja|tra, svibanj|svibnja|svi,"
    " lipanj|lipnja|lip, srpanj|srpnja|srp, kolovoz|kolovoza|kol, rujan|rujna|ruj, listopad|listopada|lis,"
    " studeni|studenog|studenoga|stu, prosinac|prosinca|pro",
    "bs": "januar|januara|jan, februar|februara|feb, mart|marta|mar, april|aprila|apr, maj|maja, juni|juna|jun,"
    " juli|jula|jul, avgust|avgusta|august|avg, septembar|septembra|sep, oktobar|oktobra|okt, novembar|novembra|nov,"
    " decembar|decembra|dec",
    "sr": "januar|januara|јануар|јануара|јан, februar|februara|фебруар|фебруара|феб, mart|marta|март|марта|мар,"
    " april|aprila|април|априла|апр, maj|maja|мај|маја, jun|juna|јун|јуна, jul|jula|јул|јула,"
    " avgust|avgusta|август|августа|авг, septembar|septembra|септембар|септембра|сеп, oktobar|oktobra|октобар|октобра|окт,"
    " novembar|novembra|новембар|новембра|нов, decembar|decembra|децембар|децембра|дец",
    "mk": "јануари|јан, февруари|фев, март|мар, април|апр, мај, јуни|јун, јули|јул, август|авг, септември|сеп, октомври|окт,"
    " ноември|ное, декември|дек",
    "bg": "януари|яну, февруари|фев, март|мар, април|апр, май, юни, юли, август|авг, септември|септ|сеп, октомври|окт,"
    " ноември|ное, декември|дек",
    "ru": "январь|января|янв, февраль|февраля|фев, март|марта|мар, апрель|апреля|апр, май|мая, июнь|июня|июн,"
    " июль|июля|июл, август|августа|авг, сентябрь|сентября|сент|сен, октябрь|октября|окт, ноябрь|ноября|ноя,"
    " декабрь|декабря|дек",
    "uk": "січень|січня|січ, лютий|лютого|лют, березень|березня|бер, квітень|квітня|квіт, травень|травня|трав,"
    " червень|червня|черв, липень|липня|лип, серпень|серпня|серп, вересень|вересня|вер, жовтень|жовтня|жовт,"
    " листопад|листопада|лист, грудень|грудня|груд",
    "be": "студзень|студзеня|студ, люты|лютага|лют, сакавік|сакавіка|сак, красавік|красавіка|крас, май|мая|траўня,"
    " чэрвень|чэрвеня|чэрв, ліпень|ліпеня|ліп, жнівень|жніўня|жнів, верасень|верасня|вер, кастрычнік|кастрычніка|каст,"
    " лістапад|лістапада|ліст, снежань|снежня|снеж",
    "kk": "қаңтар, ақпан, наурыз, сәуір, мамыр, маусым, шілде, тамыз, қыркүйек, қазан, қараша, желтоқсан",
    "el": "ιανουάριος|ιανουαρίου|ιαν, φεβρουάριος|φεβρουαρίου|φεβ, μάρτιος|μαρτίου|μαρ, απρίλιος|απριλίου|απρ,"
    " μάιος|μαΐου|μάι, ιούνιος|ιουνίου|ιουν, ιούλιος|ιουλίου|ιουλ, αύγουστος|αυγούστου|αυγ, σεπτέμβριος|σεπτεμβρίου|σεπ,"
    " οκτώβριος|οκτωβρίου|οκτ, νοέμβριος|νοεμβρίου|νοε, δεκέμβριος|δεκεμβρίου|δεκ",
    "ro": "ianuarie|ian, februarie|feb, martie|mar, aprilie|apr, mai, iunie|iun, iulie|iul, august|aug, septembrie|sept,"
    " octombrie|oct, noiembrie|nov|noi, decembrie|dec",
    "hu": "január|januári|jan, február|februári|febr|feb, március|márciusi|márc, április|áprilisi|ápr, május|májusi|máj,"
    " június|júniusi|jún, július|júliusi|júl, augusztus|augusztusi|aug, szeptember|szeptemberi|szept, október|októberi|okt,"
    " november|novemberi|nov, december|decemberi|dec",
    "sq": "janar|jan, shkurt|shk, mars|mar, prill|pri, maj, qershor|qer, korrik|kor, gusht|gus, shtator|sht, tetor|tet,"
    " nëntor|nën, dhjetor|dhj",
    "tr": "ocak|oca, şubat|şub, mart|mar, nisan|nis, mayıs|may, haziran|haz, temmuz|tem, ağustos|ağu, eylül|eyl, ekim|eki,"
    " kasım|kas, aralık|ara",
    "az": "yanvar|yan, fevral|fev, mart|mar, aprel|apr, may, iyun, iyul, avqust|avq, sentyabr|sen, oktyabr|okt, noyabr|noy,"
    " dekabr|dek",
    "uz": "yanvar, fevral, mart, aprel, may, iyun, iyul, avgust, sentabr|sentyabr, oktabr|oktyabr, noyabr, dekabr",
    "ca": "gener|gen, febrer|febr, març, abril|abr, maig, juny, juliol|jul, agost|ag, setembre|set, octubre|oct, novembre|nov,"
    " desembre|des",
    "gl": "xaneiro|xan, febreiro|feb, marzo|mar, abril|abr, maio, xuño|xuñ, xullo|xul, agosto|ago, setembro|set, outubro|out,"
    " novembro|nov, decembro|dec",
    "eu": "urtarrila|urtarrilaren|urtarrilak|urt, otsaila|otsailaren|otsailak|ots, martxoa|martxoaren|martxoak|mar,"
    " apirila|apirilaren|apirilak|api, maiatza|maiatzaren|maiatzak|mai, ekaina|ekainaren|ekainak|eka,"
    " uztaila|uztailaren|uztailak|uzt, abuztua|abuztuaren|abuztuak|abu, iraila|irailaren|irailak|ira, urria|urriaren|urriak|urr,"
    " azaroa|azaroaren|azaroak|aza, abendua|abenduaren|abenduak|abe",
    "ga": "eanáir|ean, feabhra|fea, márta|már, aibreán|aib, bealtaine|bea, meitheamh|mei, iúil, lúnasa|lún, meán fómhair,"
    " deireadh fómhair, samhain|sam, nollaig|nol",
    "cy": "ionawr|ion, chwefror|chw, mawrth, ebrill|ebr, mai, mehefin|meh, gorffennaf|gor, awst, medi, hydref|hyd,"
    " tachwedd|tach, rhagfyr|rhag",
    "id": "januari|jan, februari|pebruari|feb, maret|mar, april|apr, mei, juni|jun, juli|jul, agustus|agu|ags, september|sep,"
    " oktober|okt, november|nov, desember|des",
    "ms": "januari|jan, februari|feb, mac, april|apr, mei, jun, julai|jul, ogos|ogo, september|sep, oktober|okt,"
    " november|nov, disember|dis",
    "tl": "enero|ene, pebrero|peb, marso|mar, abril|abr, mayo|may, hunyo|hun, hulyo|hul, agosto|ago, setyembre|set,"
    " oktubre|okt, nobyembre|nob, disyembre|dis",
    "sw": "januari|jan, februari|feb, machi|mac, aprili|apr, mei, juni|jun, julai|jul, agosti|ago, septemba|sep, oktoba|okt,"
    " novemba|nov, desemba|des",
    "af": "januarie|jan, februarie|feb, maart|mrt, april|apr, mei, junie|jun, julie|jul, augustus|aug, september|sep,"
    " oktober|okt, november|nov, desember|des",
    "vi": "tháng giêng|tháng một|tháng 1, tháng hai|tháng 2, tháng ba|tháng 3, tháng tư|tháng 4, tháng năm|tháng 5,"
    " tháng sáu|tháng 6, tháng bảy|tháng 7, tháng tám|tháng 8, tháng chín|tháng 9, tháng mười|tháng 10,"
    " tháng mười một|tháng 11, tháng mười hai|tháng 12",
    "ar": "يناير|كانون الثاني|جانفي, فبراير|شباط|فيفري, مارس|آذار, أبريل|ابريل|إبريل|نيسان|أفريل, مايو|أيار|ماي,"
    " يونيو|يونيه|حزيران|جوان, يوليو|يوليه|تموز|جويلية, أغسطس|اغسطس|آب|أوت, سبتمبر|أيلول, أكتوبر|اكتوبر|تشرين الأول,"
    " نوفمبر|تشرين الثاني, ديسمبر|كانون الأول",
    "he": "ינואר|בינואר|ינו, פברואר|בפברואר|פבר, מרץ|מרס|במרץ|במרס, אפריל|באפריל|אפר, מאי|במאי, יוני|ביוני, יולי|ביולי,"
    " אוגוסט|באוגוסט|אוג, ספטמבר|בספטמבר|ספט, אוקטובר|באוקטובר|אוק, נובמבר|בנובמבר|נוב, דצמבר|בדצמבר|דצמ",
    "ur": "جنوری, فروری, مارچ, اپریل, مئی, جون, جولائی, اگست, ستمبر, اکتوبر, نومبر, دسمبر",
    "fa": "ژانویه, فوریه, مارس, آوریل, مه, ژوئن, ژوئیه, اوت, سپتامبر, اکتبر, نوامبر, دسامبر",
    "hi": "जनवरी|जन, फ़रवरी|फरवरी|फर, मार्च, अप्रैल, मई, जून, जुलाई, अगस्त|अग, सितंबर|सितम्बर, अक्टूबर|अक्तूबर, नवंबर|नवम्बर, दिसंबर|दिसम्बर",
    "mr": "जानेवारी, फेब्रुवारी, मार्च, एप्रिल, मे, जून, जुलै, ऑगस्ट, सप्टेंबर, ऑक्टोबर, नोव्हेंबर, डिसेंबर",
    "ne": "जनवरी, फेब्रुअरी, मार्च, अप्रिल, मे, जुन, जुलाई, अगस्ट, सेप्टेम्बर, अक्टोबर, नोभेम्बर, डिसेम्बर",
    "bn": "জানুয়ারি|জানুয়ারী|জানুয়ারি, ফেব্রুয়ারি|ফেব্রুয়ারী|ফেব্রুয়ারি, মার্চ, এপ্রিল, মে, জুন, জুলাই, আগস্ট|অগস্ট, সেপ্টেম্বর, অক্টোবর, নভেম্বর,"
    " ডিসেম্বর",
    "pa": "ਜਨਵਰੀ, ਫ਼ਰਵਰੀ|ਫਰਵਰੀ, ਮਾਰਚ, ਅਪ੍ਰੈਲ, ਮਈ, ਜੂਨ, ਜੁਲਾਈ, ਅਗਸਤ, ਸਤੰਬਰ, ਅਕਤੂਬਰ, ਨਵੰਬਰ, ਦਸੰਬਰ",
    "gu": "જાન્યુઆરી, ફેબ્રુઆરી, માર્ચ, એપ્રિલ, મે, જૂન, જુલાઈ, ઓગસ્ટ|ઑગસ્ટ, સપ્ટેમ્બર, ઓક્ટોબર|ઑક્ટોબર, નવેમ્બર, ડિસેમ્બર",
    "ta": "ஜனவரி, பிப்ரவரி, மார்ச், ஏப்ரல், மே, ஜூன், ஜூலை, ஆகஸ்ட், செப்டம்பர், அக்டோபர், நவம்பர், டிசம்பர்",
    "te": "జనవరి, ఫిబ్రవరి, మార్చి, ఏప్రిల్, మే, జూన్, జూలై|జులై, ఆగస్టు, సెప్టెంబర్, అక్టోబర్, నవంబర్, డిసెంబర్",
    "kn": "ಜನವರಿ, ಫೆಬ್ರವರಿ, ಮಾರ್ಚ್, ಏಪ್ರಿಲ್, ಮೇ, ಜೂನ್, ಜುಲೈ, ಆಗಸ್ಟ್, ಸೆಪ್ಟೆಂಬರ್, ಅಕ್ಟೋಬರ್, ನವೆಂಬರ್, ಡಿಸೆಂಬರ್",
    "ml": "ജനുവരി, ഫെബ്രുവരി, മാർച്ച്, ഏപ്രിൽ, മേയ്|മെയ്, ജൂൺ, ജൂലൈ, ഓഗസ്റ്റ്, സെപ്റ്റംബർ, ഒക്ടോബർ, നവംബർ, ഡിസംബർ",
    "si": "ජනවාරි, පෙබරවාරි, මාර්තු, අප්‍රේල්, මැයි, ජූනි, ජූලි, අගෝස්තු, සැප්තැම්බර්, ඔක්තෝබර්, නොවැම්බර්, දෙසැම්බර්",
    "th": "มกราคม|ม.ค., กุมภาพันธ์|ก.พ., มีนาคม|มี.ค., เมษายน|เม.ย., พฤษภาคม|พ.ค., มิถุนายน|มิ.ย., กรกฎาคม|ก.ค., สิงหาคม|ส.ค.,"
    " กันยายน|ก.ย., ตุลาคม|ต.ค., พฤศจิกายน|พ.ย., ธันวาคม|ธ.ค.",
    "ka": "იანვარი|იანვარს|იან, თებერვალი|თებ, მარტი|მარ, აპრილი|აპრ, მაისი|მაი, ივნისი|ივნ, ივლისი|ივლ, აგვისტო|აგვ,"
    " სექტემბერი|სექ, ოქტომბერი|ოქტ, ნოემბერი|ნოე, დეკემბერი|დეკ",
    "hy": "հունվար|հունվարի, փետրվար|փետրվարի, մարտ|մարտի, ապրիլ|ապրիլի, մայիս|մայիսի, հունիս|հունիսի, հուլիս|հուլիսի,"
    " օգոստոս|օգոստոսի, սեպտեմբեր|սեպտեմբերի, հոկտեմբեր|հոկտեմբերի, նոյեմբեր|նոյեմբերի, դեկտեմբեր|դեկտեմբերի",
}

JALALI_MONTHS = (
    "فروردین, اردیبهشت, خرداد, تیر, مرداد|امرداد, شهریور, مهر, آبان, آذر, دی, بهمن, اسفند"
)
"""Months of the Persian solar calendar, counted from the spring equinox."""

MERGE_ORDER = ("en", "de", "fr", "es", "pt", "it", "nl", "ru", "pl", "cs", "uk", "tr", "ar", "hi")
"""Whose month wins where languages disagree (``listopada`` is November in Poland, October in Croatia)."""

AGO: dict[str, str] = {
    "en": "ago|earlier",
    "de": "vor",
    "fr": "il y a",
    "es": "hace",
    "pt": "há|atrás",
    "it": "fa",
    "nl": "geleden",
    "sv": "sedan|för",
    "da": "siden",
    "no": "siden",
    "fi": "sitten",
    "pl": "temu",
    "cs": "před",
    "sk": "pred",
    "ru": "назад",
    "uk": "тому",
    "bg": "преди",
    "ro": "acum",
    "hu": "ezelőtt",
    "tr": "önce",
    "el": "πριν",
    "id": "yang lalu|lalu",
    "vi": "trước",
    "ar": "منذ|قبل",
    "fa": "پیش",
    "he": "לפני",
    "hi": "पहले",
    "th": "ที่แล้ว|ที่ผ่านมา",
    "ja": "前",
    "zh": "前",
    "ko": "전",
    "ca": "fa",
    "hr": "prije",
    "sr": "pre|пре",
    "sl": "pred",
    "lt": "prieš",
    "lv": "pirms",
    "et": "tagasi",
}
"""The words that turn a span into a moment in the past."""

UNITS: dict[str, str] = {
    "second": "second|seconds|sec|secs|sekunde|sekunden|seconde|secondes|segundo|segundos|secondi|secondo|seconden|sekund|sekunder"
    "|sekundę|sekundy|секунд|секунды|секунду|saniye|δευτερόλεπτα|detik|giây|ثانية|ثوان|秒|초|วินาที|सेकंड",
    "minute": "minute|minutes|min|mins|minuten|minuto|minutos|minuti|minuut|minuter|minut|minuty|minutę|minutter|minuuttia|minuta"
    "|минут|минуты|минуту|хвилин|хвилини|хвилину|dakika|λεπτά|λεπτό|menit|phút|دقيقة|دقائق|دقیقه|דקות|मिनट|分|分钟|分鐘|분|นาที|perc|perccel",
    "hour": "hour|hours|hr|hrs|h|stunde|stunden|heure|heures|hora|horas|ora|ore|uur|uren|timme|timmar|time|timer|tunti|tuntia"
    "|godzina|godziny|godzin|godzinę|hodina|hodin|hodiny|hodinou|hodinami|час|часа|часов|година|години|годин|годину|saat|ώρα|ώρες|jam|giờ"
    "|ساعة|ساعات|ساعت|שעה|שעות|घंटे|घंटा|時間|小时|小時|시간|ชั่วโมง|óra|órával",
    "day": "day|days|tag|tage|tagen|jour|jours|día|días|dia|dias|giorno|giorni|dag|dagen|dagar|dage|dager|päivä|päivää|dzień|dni|den|dny|dnem"
    "|день|дня|дней|дні|днів|gün|ημέρα|ημέρες|μέρες|hari|ngày|يوم|أيام|روز|יום|ימים|दिन|日|天|일|วัน|nap|nappal|zile|zi",
    "week": "week|weeks|woche|wochen|semaine|semaines|semana|semanas|settimana|settimane|weken|vecka|veckor|uge|uger|uke|uker|viikko|viikkoa"
    "|tydzień|tygodnie|tygodni|týden|týdny|týdnem|неделя|недели|недель|неделю|тиждень|тижні|тижнів|hafta|εβδομάδα|εβδομάδες|minggu|tuần"
    "|أسبوع|أسابيع|هفته|שבוע|שבועות|सप्ताह|週間|周|週|주|สัปดาห์|hét|héttel",
    "month": "month|months|monat|monate|monaten|mois|mes|meses|mês|mese|mesi|maand|maanden|månad|månader|måned|måneder|kuukausi|kuukautta"
    "|miesiąc|miesiące|miesięcy|měsíc|měsíce|měsícem|месяц|месяца|месяцев|місяць|місяці|місяців|ay|μήνα|μήνες|bulan|tháng|شهر|أشهر|ماه|חודש"
    "|חודשים|महीने|か月|ヶ月|个月|個月|개월|เดือน|hónap|hónappal",
    "year": "year|years|jahr|jahre|jahren|an|ans|année|années|año|años|ano|anos|anno|anni|jaar|år|vuosi|vuotta|rok|lata|lat|roky|rokem"
    "|год|года|лет|рік|роки|років|yıl|χρόνο|χρόνια|tahun|năm|سنة|سنوات|سال|שנה|שנים|साल|年|년|ปี|év|évvel",
}
"""Units of time in many languages; a word means the same unit in all of them."""

ONE = frozenset(
    (
        "a",
        "an",
        "one",
        "eine",
        "einem",
        "einer",
        "ein",
        "un",
        "une",
        "una",
        "uno",
        "um",
        "uma",
        "een",
        "en",
        "ett",
        "et",
        "jeden",
        "один",
        "одну",
        "bir",
        "ένα",
        "μία",
        "egy",
        "یک",
    )
)
"""Words for one, as in ``an hour ago``."""

DAY_WORDS: dict[str, int] = {
    "today": 0,
    "heute": 0,
    "aujourd'hui": 0,
    "hoy": 0,
    "hoje": 0,
    "oggi": 0,
    "vandaag": 0,
    "idag": 0,
    "i dag": 0,
    "tänään": 0,
    "dzisiaj": 0,
    "dziś": 0,
    "dnes": 0,
    "сегодня": 0,
    "сьогодні": 0,
    "днес": 0,
    "danas": 0,
    "astăzi": 0,
    "azi": 0,
    "bugün": 0,
    "σήμερα": 0,
    "hari ini": 0,
    "hôm nay": 0,
    "اليوم": 0,
    "امروز": 0,
    "היום": 0,
    "आज": 0,
    "今日": 0,
    "今天": 0,
    "오늘": 0,
    "วันนี้": 0,
    "just now": 0,
    "avui": 0,
    "šodien": 0,
    "šiandien": 0,
    "täna": 0,
    "yesterday": 1,
    "gestern": 1,
    "hier": 1,
    "ayer": 1,
    "ontem": 1,
    "ieri": 1,
    "gisteren": 1,
    "igår": 1,
    "i går": 1,
    "eilen": 1,
    "wczoraj": 1,
    "včera": 1,
    "вчера": 1,
    "вчора": 1,
    "jučer": 1,
    "juče": 1,
    "dün": 1,
    "χθες": 1,
    "χτες": 1,
    "kemarin": 1,
    "hôm qua": 1,
    "أمس": 1,
    "دیروز": 1,
    "אתמול": 1,
    "कल": 1,
    "昨日": 1,
    "昨天": 1,
    "어제": 1,
    "เมื่อวาน": 1,
    "ahir": 1,
    "vakar": 1,
    "eile": 1,
    "tegnap": 1,
}
"""Words that name a day by its distance from today."""
