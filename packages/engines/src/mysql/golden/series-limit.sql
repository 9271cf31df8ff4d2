SELECT MAKEDATE(YEAR(`Year`), 1) AS `Year`,
       `Origin` AS `Origin`,
       COUNT(*) AS `count`
FROM `cars`
INNER JOIN (SELECT `Origin` AS `Origin__`,
       COUNT(*) AS `mme_inner__`
FROM `cars`
WHERE `Cylinders` > ?
GROUP BY `Origin`
ORDER BY AVG(`Horsepower`) IS NULL DESC, AVG(`Horsepower`) DESC
LIMIT 2) AS `series_limit` ON `Origin` = `series_limit`.`Origin__`
WHERE `Cylinders` > ?
GROUP BY MAKEDATE(YEAR(`Year`), 1),
         `Origin`
ORDER BY `Year` IS NULL ASC, `Year` ASC,
         `Origin` IS NULL ASC, `Origin` ASC
LIMIT 50000;
-- [3,3]
